import {
  attach as keep,
  attachmentBytes,
  detach,
  listAttachments,
  type AttachOptions,
} from "../../../commands/experiments/index.ts";
import { Failure, isFailure } from "../../../core/failures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import { openQuestions } from "../../ask.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment, requiredText } from "./options.ts";

export const attach: Verb = {
  name: "attach",
  summary: "store descriptions with an experiment for use by name",
  options: [
    { flags: "-p, --put", synopsis: "attach a description" },
    { flags: "-g, --get", synopsis: "write an attached description to a file" },
    { flags: "-l, --list", synopsis: "list attached descriptions" },
    { flags: "--delete", synopsis: "delete an attached description" },
    { flags: "-n, --name <name>", synopsis: "name of the attachment" },
    { flags: "-x, --xml <file>", synopsis: "description" },
    { flags: "-s, --synopsis <text>", synopsis: "synopsis, instead of the one in the description" },
    { flags: "-d, --desc <text>", synopsis: "synopsis, if -s is not given" },
    { flags: "-i, --interactive", synopsis: "ask for the name and the synopsis" },
    { flags: "--force", synopsis: "replace an attachment of the same name" },
    { flags: "--dontask", synopsis: "no effect: --delete never asks" },
    experimentOption,
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = requiredExperiment(session, args);
    const location = databaseOf(session, args);
    if (args.flag("put")) {
      const file = requiredText(args, "xml", "-x FILE");
      await put(session, { experiment, file, ...(await naming(session, args)), ...location }, args.flag("force"));
    } else if (args.flag("get")) {
      const bytes = await attachmentBytes(session.workspace, {
        experiment,
        name: requiredText(args, "name", "-n NAME"),
        ...location,
      });
      const file = args.text("xml");
      if (file === undefined) session.output.data(bytes);
      else session.output.save(session.workspace.files.resolve(file), bytes);
    } else if (args.flag("delete")) {
      await detach(session.workspace, { experiment, name: requiredText(args, "name", "-n NAME"), ...location });
    } else if (args.flag("list")) {
      for (const each of await listAttachments(session.workspace, experiment, location.database))
        session.output.data(`${terminalText(each.name)}\t${each.kind}\t${terminalText(each.synopsis ?? "")}\n`);
    } else
      throw new Failure("bad-usage", {
        reason: "--put, --get, --list or --delete is missing",
        command: "perfbase attach",
      });
    return 0;
  },
};

async function put({ workspace }: Session, options: AttachOptions, force: boolean): Promise<void> {
  try {
    await keep(workspace, options);
  } catch (error) {
    if (!force || !isFailure(error, "attachment-exists")) throw error;
    const { experiment, database } = options;
    await detach(workspace, {
      experiment,
      name: String(error.data["name"]),
      ...(database === undefined ? {} : { database }),
    });
    await keep(workspace, options);
  }
}

/** Name and synopsis of the command line or of answers; absent ones come from the description. */
async function naming(session: Session, args: Arguments): Promise<Pick<AttachOptions, "name" | "synopsis">> {
  const [name, synopsis] = [args.text("name"), args.text("synopsis") ?? args.text("desc")];
  const [enteredName, enteredSynopsis] = args.flag("interactive") ? await answers(session, ["name:", "synopsis:"]) : [];
  return {
    ...((name ?? enteredName) ? { name: name ?? enteredName ?? "" } : {}),
    ...((synopsis ?? enteredSynopsis) ? { synopsis: synopsis ?? enteredSynopsis ?? "" } : {}),
  };
}

async function answers({ streams }: Session, questions: readonly string[]): Promise<string[]> {
  const open = openQuestions(streams);
  const lines: string[] = [];
  for (const question of questions) lines.push((await open.ask(question)) ?? "");
  open.close();
  return lines;
}
