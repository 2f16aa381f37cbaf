import { counted } from "../../core/counted.ts";
import { createExperiment, type CreatedExperiment } from "../../commands/create-experiment.ts";
import { listExperiments } from "../../commands/list-experiments.ts";
import { showExperiment } from "../../commands/show-experiment.ts";
import { terminalLines, terminalText } from "../../core/terminal-text.ts";
import { formatTimestamp } from "../../core/time-text.ts";
import type { Arguments } from "../arguments.ts";
import { confirmServerOf } from "../confirm.ts";
import { renderFigure } from "../print/figure.ts";
import type { Session } from "../session.ts";
import { noteOwnFolder } from "./own-folder.ts";
import type { Verb } from "../verb.ts";
import { dumpVerbs } from "./experiment-dump.ts";
import { distributionVerbs } from "./experiment-distribution.ts";
import { accessVerbs } from "./experiment-access.ts";
import { managementVerbs } from "./experiment-management.ts";
import { experimentInfo } from "./experiment-info.ts";
import { databaseOf, databaseOption } from "./options.ts";

export const experiment: Verb = {
  name: "experiment",
  summary: "create, list, show, describe, change, delete, dump and distribute experiments",
  subverbs: [
    {
      name: "create",
      summary: "make an experiment from its description",
      examples: [
        "perfkeep experiment create memory.exp",
        "perfkeep experiment create memory.exp --db postgres://bench@db.example.org/results",
      ],
      operands: [{ name: "<file>", synopsis: "an experiment description (.exp or XML)" }],
      options: [{ flags: "-e, --experiment <name>", synopsis: "another name than the description's" }, databaseOption],
      formats: ["json"],
      run: create,
    },
    {
      name: "list",
      aliases: ["ls"],
      summary: "list the experiments",
      examples: ["perfkeep experiment list --format json"],
      options: [databaseOption],
      formats: ["json", "csv", "markdown", "html"],
      run: list,
    },
    experimentInfo,
    {
      name: "show",
      summary: "print an experiment's description as it can be given to create",
      examples: ["perfkeep experiment show io -o io.exp", "perfkeep experiment show io --format xml"],
      operands: [{ name: "<experiment>", synopsis: "its name" }],
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
  noteFirst(session, made);
  if (session.format === "json")
    session.output.document("perfkeep.experiment-create/1", { name: made.experiment.name, database: made.database });
  else
    session.output.data(
      `created ${terminalText(made.experiment.name)}: ${count("parameter")}, ${count("result")}, in ${terminalText(made.database)}\n`,
    );
  return 0;
}

/** Said once, where nobody chose the place. */
export function noteFirst(session: Session, { database, isFirstOfUser }: CreatedExperiment): void {
  if (isFirstOfUser === true) noteOwnFolder(session, database);
}

async function list(session: Session, args: Arguments): Promise<number> {
  const summaries = await listExperiments(session.workspace, databaseOf(args));
  if (session.format === "json")
    session.output.document("perfkeep.experiments/1", {
      experiments: summaries.map((one) => ({ ...one, modified: formatTimestamp(one.modified) })),
    });
  else if (summaries.length === 0 && session.format === "text")
    session.output.note(
      "no experiments yet: perfkeep experiment create FILE.exp makes one; perfkeep rebuild experiments makes a lost database again",
    );
  else {
    const head = (["name", "runs", "data sets", "modified", "synopsis"] as const).map((label) => ({
      label,
      align: label === "runs" || label === "data sets" ? ("right" as const) : ("left" as const),
    }));
    const rows = summaries.map(({ name, runs, dataSets, modified, synopsis }) => [
      name,
      String(runs),
      String(dataSets),
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
