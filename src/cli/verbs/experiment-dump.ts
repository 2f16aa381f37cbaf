import { counted } from "../../core/counted.ts";
import { dumpExperiment } from "../../commands/dump-experiment.ts";
import { restoreExperiment } from "../../commands/restore-experiment.ts";
import { Failure } from "../../core/errors.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { Arguments } from "../arguments.ts";
import { Output } from "../output.ts";
import type { Session } from "../session.ts";
import type { Verb } from "../verb.ts";
import { version } from "../version.ts";
import { databaseOf, databaseOption } from "./options.ts";

/** What carries experiments from one database to another. */
export const dumpVerbs: readonly Verb[] = [
  {
    name: "dump",
    summary: "write an experiment with its raw files into one file",
    details: [
      "The file of -o holds everything: description, runs (deleted ones, too), attachments, parameter sets, raw files and history. The same contents",
      "are the same bytes, whatever database they come from. It appears once it is whole.",
      "",
      "Example: perfkeep experiment dump b_eff_io -o b_eff_io.tar.gz",
    ].join("\n"),
    operands: [{ name: "<experiment>", synopsis: "its name" }],
    options: [
      {
        flags: "--without-raw",
        synopsis: "also when raw files are not whole on this machine: what lacks is noted in the dump",
      },
      databaseOption,
    ],
    formats: ["json"],
    run: dump,
  },
  {
    name: "restore",
    summary: "make the experiment of a dump again",
    details: [
      "All of it, or nothing; every part is verified first. Runs keep their numbers, times and states. You own it then.",
      "",
      "Example: perfkeep experiment restore b_eff_io.tar.gz --as b_eff_io_of_cluster2",
    ].join("\n"),
    operands: [{ name: "<file>", synopsis: "a file of `experiment dump`" }],
    options: [{ flags: "--as <name>", synopsis: "another name than it had" }, databaseOption],
    formats: ["json"],
    run: restore,
  },
];

async function dump(session: Session, args: Arguments): Promise<number> {
  const { file, ...options } = session.output.options;
  if (file === undefined) throw new Failure("no-dump-file", { experiment: args.operand(0) });
  // The file is the dump's; what is said about it goes to standard output.
  const output = new Output(session.streams, { ...options, file: undefined });
  const dumped = await dumpExperiment(session.workspace, {
    name: args.operand(0),
    to: file,
    withoutRaw: args.flag("withoutRaw"),
    program: `perfkeep ${version}`,
    ...databaseOf(args),
  });
  const { experiment, contents, missing, members } = dumped;
  if (session.format === "json")
    output.document("perfkeep.experiment-dump/1", { experiment, file, contents, members, missing });
  else {
    output.data(`dumped ${terminalText(experiment)} to ${terminalText(file)}, contents ${contents}\n`);
    for (const { object, what } of missing) output.note(`not in the dump: ${terminalText(what)} (object ${object})`);
  }
  return exitStatus.fine;
}

async function restore(session: Session, args: Arguments): Promise<number> {
  const as = args.text("as");
  const restored = await restoreExperiment(session.workspace, {
    from: args.operand(0),
    ...(as === undefined ? {} : { as }),
    ...databaseOf(args),
  });
  const { experiment, contents, runs, missing, history } = restored;
  if (session.format === "json")
    session.output.document("perfkeep.experiment-restore/1", { experiment, contents, runs, missing, history });
  else {
    session.output.data(`restored ${terminalText(experiment)}: ${counted(runs, "run")}, contents ${contents}\n`);
    for (const { object, what } of missing)
      session.output.note(`not in the dump: ${terminalText(what)} (object ${object})`);
    if (!history)
      session.output.note("its history is not in the dump: a rebuild of this database cannot make it again");
  }
  return exitStatus.fine;
}
