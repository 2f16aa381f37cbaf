import {
  attach as keep,
  attachmentBytes,
  detach,
  listAttachments,
  type AttachOptions,
} from "../../../commands/experiments/attach.ts";
import { Failure, isFailure } from "../../../core/failures/failure.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { openQuestions } from "../../ask.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment, requiredText } from "./options.ts";

export const attach: Verb = {
  name: "attach",
  summary: "store descriptions with an experiment for use by name",
  options: [
    { flags: "-p, --put", synopsis: "keep a description" },
    { flags: "-g, --get", synopsis: "write a kept description to a file" },
    { flags: "-l, --list", synopsis: "list what is kept" },
    { flags: "--delete", synopsis: "keep a description no longer" },
    { flags: "-n, --name <name>", synopsis: "the name it is kept under" },
    { flags: "-x, --xml <file>", synopsis: "the description" },
    { flags: "-s, --synopsis <text>", synopsis: "what it is about, instead of what it says itself" },
    { flags: "-d, --desc <text>", synopsis: "the same, where -s is not given" },
    { flags: "-i, --interactive", synopsis: "ask for the name and the synopsis" },
    { flags: "--force", synopsis: "in place of what is kept under that name" },
    { flags: "--dontask", synopsis: "--delete does not ask in any case" },
    experimentOption,
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = requiredExperiment(session, args);
    const place = databaseOf(session, args);
    if (args.flag("put")) {
      const file = requiredText(args, "xml", "-x FILE");
      await put(session, { experiment, file, ...(await naming(session, args)), ...place }, args.flag("force"));
    } else if (args.flag("get")) {
      const bytes = await attachmentBytes(session.workspace, {
        experiment,
        name: requiredText(args, "name", "-n NAME"),
        ...place,
      });
      const file = args.text("xml");
      if (file === undefined) session.output.data(bytes);
      else session.output.save(session.workspace.files.resolve(file), bytes);
    } else if (args.flag("delete")) {
      await detach(session.workspace, { experiment, name: requiredText(args, "name", "-n NAME"), ...place });
    } else if (args.flag("list")) {
      for (const each of await listAttachments(session.workspace, experiment, place.database))
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

/** What the command line says, or the answers to questions; nothing is what the description says itself. */
async function naming(session: Session, args: Arguments): Promise<Pick<AttachOptions, "name" | "synopsis">> {
  const [name, synopsis] = [args.text("name"), args.text("synopsis") ?? args.text("desc")];
  const [asked, about] = args.flag("interactive") ? await answers(session, ["name:", "synopsis:"]) : [];
  return {
    ...((name ?? asked) ? { name: name ?? asked ?? "" } : {}),
    ...((synopsis ?? about) ? { synopsis: synopsis ?? about ?? "" } : {}),
  };
}

async function answers({ streams }: Session, questions: readonly string[]): Promise<string[]> {
  const open = openQuestions(streams);
  const found: string[] = [];
  for (const question of questions) found.push((await open.ask(question)) ?? "");
  open.close();
  return found;
}
