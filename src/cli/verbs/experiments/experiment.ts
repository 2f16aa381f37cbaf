import { missingJson, renderFigure } from "../../print/index.ts";
import {
  createExperiment,
  type CreatedExperiment,
  dumpExperiment,
  listExperiments,
  restoreExperiment,
  showExperiment,
} from "../../../commands/experiments/index.ts";
import { counted, terminalLines, terminalText } from "../../../core/text/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { formatTimestamp } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmServerOf } from "../../confirm.ts";
import { Output } from "../../output.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { accessVerbs } from "./experiment-access.ts";
import { distributionVerbs } from "./experiment-sharding.ts";
import { experimentInfo } from "./experiment-info.ts";
import { managementVerbs } from "./experiment-management.ts";
import { databaseOf, databaseOption } from "../options.ts";
import { noteDefaultDatabase } from "./default-database-notice.ts";

/** Subverbs that dump and restore experiments. */
const dumpVerbs: readonly Verb[] = [
  {
    name: "dump",
    summary: "write an experiment with its raw files to one file",
    details: [
      "The file contains the description, runs (also deleted ones), attachments, parameter sets, raw files and",
      "history.",
      "Equal experiments yield equal bytes, whatever the database. The file is written atomically.",
      "",
      "Example: perfkeep experiment dump b_eff_io -o b_eff_io.tar.gz",
    ].join("\n"),
    operands: [{ name: "<experiment>", synopsis: "name of the experiment" }],
    options: [
      {
        flags: "--without-raw",
        synopsis: "dump even if raw files are missing on this machine; the dump lists them",
      },
      databaseOption,
    ],
    formats: ["json"],
    run: dump,
  },
  {
    name: "restore",
    summary: "restore an experiment from a dump",
    details: [
      "Everything is verified first; either all is restored or nothing. Runs keep numbers, times and states. You",
      "become the owner.",
      "",
      "Example: perfkeep experiment restore b_eff_io.tar.gz --as b_eff_io_of_cluster2",
    ].join("\n"),
    operands: [{ name: "<file>", synopsis: "file written by `experiment dump`" }],
    options: [{ flags: "--as <name>", synopsis: "new name of the experiment" }, databaseOption],
    formats: ["json"],
    run: restore,
  },
];

async function dump(session: Session, args: Arguments): Promise<number> {
  const { file, ...options } = session.output.options;
  if (file === undefined) throw new Failure("no-dump-file", { experiment: args.operand(0) });
  // The dump is written to the file of -o; messages are printed.
  const output = new Output(session.streams, { ...options, file: undefined });
  const dumped = await dumpExperiment(session.workspace, {
    name: args.operand(0),
    to: file,
    withoutRaw: args.flag("withoutRaw"),
    program: `perfkeep ${version}`,
    ...databaseOf(args),
  });
  const { experiment, digest, missing, members } = dumped;
  if (session.format === "json")
    output.document("perfkeep.experiment-dump/2", {
      experiment,
      file,
      rowsDigest: digest,
      members,
      missing: missing.map(missingJson),
    });
  else {
    output.report(`dumped ${terminalText(experiment)} to ${terminalText(file)}, digest ${digest}\n`);
    for (const { object, what } of missing) output.note(`not in the dump: ${what} (object ${object})`);
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
  const { experiment, digest, runs, missing, history } = restored;
  if (session.format === "json")
    session.output.document("perfkeep.experiment-restore/2", {
      experiment,
      rowsDigest: digest,
      runs,
      missing: missing.map(missingJson),
      history,
    });
  else {
    session.output.report(`restored ${terminalText(experiment)}: ${counted(runs, "run")}, digest ${digest}\n`);
    for (const { object, what } of missing) session.output.note(`not in the dump: ${what} (object ${object})`);
    if (!history)
      session.output.note("the dump has no history: a rebuild of this database cannot restore the experiment");
  }
  return exitStatus.fine;
}

export const experiment: Verb = {
  name: "experiment",
  summary: "create, list, describe, change, delete and dump experiments",
  subverbs: [
    {
      name: "create",
      summary: "create an experiment from its description",
      examples: [
        "perfkeep experiment create memory.exp",
        "perfkeep experiment create memory.exp --db postgres://bench@db.example.org/results",
      ],
      operands: [{ name: "<file>", synopsis: "experiment description (.exp or XML)" }],
      options: [
        { flags: "-e, --experiment <name>", synopsis: "name, instead of the one in the description" },
        databaseOption,
      ],
      formats: ["json"],
      run: create,
    },
    {
      name: "list",
      aliases: ["ls"],
      summary: "list experiments",
      examples: ["perfkeep experiment list --format json"],
      options: [databaseOption],
      formats: ["json", "csv", "markdown", "html"],
      run: list,
    },
    experimentInfo,
    {
      name: "show",
      summary: "print an experiment's description, as accepted by create",
      examples: ["perfkeep experiment show io -o io.exp", "perfkeep experiment show io --format xml"],
      operands: [{ name: "<experiment>", synopsis: "name of the experiment" }],
      options: [databaseOption],
      formats: ["exp", "xml"],
      run: show,
    },
    ...managementVerbs,
    ...accessVerbs,
    ...dumpVerbs,
    ...distributionVerbs,
  ],
};

async function create(session: Session, args: Arguments): Promise<number> {
  const name = args.text("experiment");
  const made = await createExperiment(session.workspace, {
    file: args.operand(0),
    ...(name === undefined ? {} : { name }),
    ...confirmServerOf(session),
    ...databaseOf(args),
  });
  const { variables } = made.experiment;
  const count = (role: string): string => counted(variables.filter((variable) => variable.role === role).length, role);
  noteNewDatabase(session, made);
  if (session.format === "json")
    session.output.document("perfkeep.experiment-create/1", { name: made.experiment.name, database: made.database });
  else
    session.output.report(
      [
        `created ${terminalText(made.experiment.name)}:`,
        `${count("parameter")}, ${count("result")}, in ${terminalText(made.database)}\n`,
      ].join(" "),
    );
  return 0;
}

/** Notes the default database with the first experiment of a user. */
export function noteNewDatabase(session: Session, { database, isFirstOfUser }: CreatedExperiment): void {
  if (isFirstOfUser === true) noteDefaultDatabase(session, database);
}

async function list(session: Session, args: Arguments): Promise<number> {
  const summaries = await listExperiments(session.workspace, databaseOf(args));
  if (session.format === "json")
    session.output.document("perfkeep.experiments/2", {
      experiments: summaries.map((one) => ({ ...one, modified: formatTimestamp(one.modified) })),
    });
  else if (summaries.length === 0 && session.format === "text")
    session.output.note(
      "no experiments: create one with perfkeep experiment create, or rebuild a lost database with perfkeep rebuild",
    );
  else {
    const head = (["name", "runs", "rows", "modified", "synopsis"] as const).map((label) => ({
      label,
      align: label === "runs" || label === "rows" ? ("right" as const) : ("left" as const),
    }));
    const rows = summaries.map(({ name, runs, rows, modified, synopsis }) => [
      name,
      String(runs),
      String(rows),
      formatTimestamp(modified),
      synopsis ?? "",
    ]);
    session.output.data(
      await renderFigure(session, { title: "", blocks: [{ kind: "table", head, rows }] }, session.format),
    );
  }
  return 0;
}

async function show(session: Session, args: Arguments): Promise<number> {
  const spelling = session.format === "xml" ? "xml" : "text";
  const text = await showExperiment(session.workspace, { experiment: args.operand(0), spelling, ...databaseOf(args) });
  session.output.data(session.output.toTerminal ? terminalLines(text) : text);
  return 0;
}
