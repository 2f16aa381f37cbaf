import { attach as keep, attachedContent, detach, listAttachments } from "../../../commands/attach.ts";
import { Failure } from "../../../core/errors.ts";
import { terminalText } from "../../../core/terminal-text.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment, requiredText } from "./options.ts";

export const attach: Verb = {
  name: "attach",
  summary: "keep descriptions with an experiment, to use them by name",
  options: [
    { flags: "--put", synopsis: "keep a description" },
    { flags: "--get", synopsis: "write a kept description to a file" },
    { flags: "--list", synopsis: "list what is kept" },
    { flags: "--delete", synopsis: "keep a description no longer" },
    { flags: "-n, --name <name>", synopsis: "the name it is kept under" },
    { flags: "-x, --xml <file>", synopsis: "the description" },
    { flags: "-s, --synopsis <text>", synopsis: "what it is about, instead of what it says itself" },
    experimentOption,
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = requiredExperiment(session, args);
    const place = databaseOf(session, args);
    const [name, synopsis] = [args.text("name"), args.text("synopsis")];
    if (args.flag("put")) {
      await keep(session.workspace, {
        experiment,
        file: requiredText(args, "xml", "-x FILE"),
        ...(name === undefined ? {} : { name }),
        ...(synopsis === undefined ? {} : { synopsis }),
        ...place,
      });
    } else if (args.flag("get")) {
      const bytes = await attachedContent(session.workspace, { experiment, name: requiredText(args, "name", "-n NAME"), ...place });
      const file = args.text("xml");
      if (file === undefined) session.output.data(bytes);
      else session.output.save(session.workspace.files.resolve(file), bytes);
    } else if (args.flag("delete")) {
      await detach(session.workspace, { experiment, name: requiredText(args, "name", "-n NAME"), ...place });
    } else if (args.flag("list")) {
      for (const each of await listAttachments(session.workspace, experiment, place.database))
        session.output.data(`${terminalText(each.name)}\t${each.kind}\t${terminalText(each.synopsis ?? "")}\n`);
    } else throw new Failure("bad-usage", { reason: "--put, --get, --list or --delete is missing", command: "perfbase attach" });
    return 0;
  },
};
