import { createExperiment } from "../../commands/create-experiment.ts";
import { infoExperiment, type ExperimentInfo } from "../../commands/info-experiment.ts";
import { listExperiments } from "../../commands/list-experiments.ts";
import { showExperiment } from "../../commands/show-experiment.ts";
import { abbreviate } from "../../core/digest.ts";
import { terminalLines, terminalText } from "../../core/terminal-text.ts";
import { formatTimestamp } from "../../core/time-text.ts";
import { formatUnit } from "../../core/unit.ts";
import { formatValue, type Value } from "../../core/value.ts";
import { findVariable, type Variable } from "../../core/variable.ts";
import type { Arguments } from "../arguments.ts";
import { renderFigure } from "../print/figure.ts";
import type { Session } from "../session.ts";
import type { Verb } from "../verb.ts";
import { managementVerbs } from "./experiment-management.ts";
import { databaseOf, databaseOption, runNumber } from "./options.ts";

export const experiment: Verb = {
  name: "experiment",
  summary: "create, list, show, describe, change and delete experiments",
  subverbs: [
    {
      name: "create",
      summary: "make an experiment from its description",
      operands: [{ name: "<file>", synopsis: "an experiment description (.exp or XML)" }],
      options: [{ flags: "-e, --experiment <name>", synopsis: "another name than the description's" }, databaseOption],
      formats: ["json"],
      run: create,
    },
    {
      name: "list",
      aliases: ["ls"],
      summary: "list the experiments",
      options: [databaseOption],
      formats: ["json", "csv", "markdown", "html"],
      run: list,
    },
    {
      name: "info",
      summary: "describe an experiment and its runs",
      operands: [{ name: "<experiment>", synopsis: "its name" }],
      options: [
        { flags: "--deleted", synopsis: "also runs that were deleted" },
        { flags: "--value <pattern>", synopsis: "only variables whose names this pattern finds" },
        { flags: "-r, --run <number>", synopsis: "only this run", repeat: true },
        { flags: "-p, --pset <name>", synopsis: "also the contents of this parameter set" },
        { flags: "-d, --description", synopsis: "print the description as it can be given to create" },
        databaseOption,
      ],
      formats: ["json"],
      run: info,
    },
    {
      name: "show",
      summary: "print an experiment's description as it can be given to create",
      operands: [{ name: "<experiment>", synopsis: "its name" }],
      options: [databaseOption],
      formats: ["exp", "xml"],
      run: show,
    },
    ...managementVerbs,
  ],
};

async function create(session: Session, args: Arguments): Promise<number> {
  const name = args.text("experiment");
  const made = await createExperiment(session.workspace, {
    file: args.operand(0),
    ...(name === undefined ? {} : { name }),
    ...databaseOf(args),
  });
  const { variables } = made.experiment;
  const count = (role: string): number => variables.filter((variable) => variable.role === role).length;
  if (session.format === "json")
    session.output.document("perfkeep.experiment-create/1", { name: made.experiment.name, database: made.database });
  else
    session.output.data(
      `created ${terminalText(made.experiment.name)}: ${count("parameter")} parameters, ${count("result")} results, in ${terminalText(made.database)}\n`,
    );
  return 0;
}

async function list(session: Session, args: Arguments): Promise<number> {
  const summaries = await listExperiments(session.workspace, databaseOf(args));
  if (session.format === "json")
    session.output.document("perfkeep.experiments/1", {
      experiments: summaries.map((one) => ({ ...one, modified: formatTimestamp(one.modified) })),
    });
  else if (summaries.length === 0 && session.format === "text")
    session.output.note("no experiments yet: perfkeep experiment create FILE.exp makes one");
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
    session.output.data(await renderFigure(session, { title: "", blocks: [{ kind: "table", head, rows }] }, session.format));
  }
  return 0;
}

async function info(session: Session, args: Arguments): Promise<number> {
  const [variables, parameterSet, runs] = [args.text("value"), args.text("pset"), args.texts("run").map(runNumber)];
  const found = await infoExperiment(session.workspace, {
    experiment: args.operand(0),
    deleted: args.flag("deleted"),
    ...(variables === undefined ? {} : { variables }),
    ...(parameterSet === undefined ? {} : { parameterSet }),
    ...(runs.length === 0 ? {} : { runs }),
    ...databaseOf(args),
  });
  if (session.format === "json") session.output.document("perfkeep.experiment/1", jsonInfo(found));
  else if (args.flag("description")) session.output.data(session.output.toTerminal ? terminalLines(found.text) : found.text);
  else session.output.data(await infoText(session, found));
  return 0;
}

async function show(session: Session, args: Arguments): Promise<number> {
  const spelling = session.format === "xml" ? "xml" : "text";
  const text = await showExperiment(session.workspace, { experiment: args.operand(0), spelling, ...databaseOf(args) });
  session.output.data(session.output.toTerminal ? terminalLines(text) : text);
  return 0;
}

async function infoText(session: Session, found: ExperimentInfo): Promise<string> {
  const { experiment: about, runs } = found;
  const left = (labels: readonly string[]): { label: string; align: "left" }[] => labels.map((label) => ({ label, align: "left" }));
  const variables = about.variables.map((one) => [one.role, one.name, one.type, formatUnit(one.unit), one.occurrence, one.synopsis ?? ""]);
  const runRows = runs.map((run) => [
    String(run.number),
    run.version === undefined ? "" : abbreviate(run.version) + (run.dirty ? "+" : ""),
    formatTimestamp(run.performed),
    String(run.dataSets),
    run.active ? "" : "deleted",
    run.label ?? run.synopsis ?? "",
    run.sources.map((source) => source.path).join(", "),
  ]);
  const tables = await renderFigure(
    session,
    {
      title: "",
      blocks: [
        { kind: "table", head: left(["", "name", "type", "unit", "occurrence", "synopsis"]), rows: variables },
        ...(runRows.length > 0
          ? [{ kind: "table" as const, head: left(["run", "version", "performed", "data sets", "state", "label", "files"]), rows: runRows }]
          : []),
      ],
    },
    "text",
  );
  const title = about.synopsis === undefined ? about.name : `${about.name}: ${about.synopsis}`;
  const text = about.description === undefined ? "" : `${terminalLines(about.description).trimEnd()}\n`;
  return `${terminalText(title)}\n${text}\n${String(tables)}${runs.length === 0 ? "\nno runs yet\n" : ""}${keptText(found)}`;
}

/** Names of attachments and parameter sets, and the contents of the set that was asked for. */
function keptText({ allVariables, attachments, parameterSets, contents }: ExperimentInfo): string {
  const line = (title: string, names: readonly string[]): string => (names.length === 0 ? "" : `\n${title}: ${names.join(", ")}\n`);
  const names = attachments.map(({ name, kind }) => terminalText(`${name} (${kind})`));
  const cells = [...(contents ?? [])].map(([name, value]) => terminalText(`  ${name} = ${contentText(allVariables, name, value)}`));
  return `${line("attachments", names)}${line("parameter sets", parameterSets.map(terminalText))}${cells.map((cell) => `${cell}\n`).join("")}`;
}

function contentText(variables: readonly Variable[], name: string, value: Value): string {
  return formatValue(value, findVariable(variables, name)?.type ?? "text");
}

function jsonInfo({ experiment: about, runs, attachments, parameterSets, contents, allVariables }: ExperimentInfo): object {
  return {
    experiment: { ...about, variables: about.variables.map((variable) => ({ ...variable, unit: formatUnit(variable.unit) })) },
    runs: runs.map((run) => ({ ...run, created: formatTimestamp(run.created), performed: formatTimestamp(run.performed) })),
    attachments: attachments.map(({ name, kind }) => ({ name, kind })),
    parameterSets,
    ...(contents === undefined
      ? {}
      : {
          contents: Object.fromEntries(
            [...contents].map(([name, value]) => [name, value === null ? null : contentText(allVariables, name, value)]),
          ),
        }),
  };
}
