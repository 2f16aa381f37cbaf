import {
  attachmentBytes,
  infoExperiment,
  type ExperimentInfo,
  describeExperiments,
  type DescribedExperiment,
} from "../../../commands/experiments/index.ts";
import { parseRunName } from "../../../core/experiments/index.ts";
import { rowsOf, type Table } from "../../../core/tables/index.ts";
import { counted, terminalText, terminalLines } from "../../../core/text/index.ts";
import {
  formatTimestamp,
  formatUnit,
  formatValue,
  type DataType,
  type Value,
  type Values,
} from "../../../core/values/index.ts";
import { isFailure } from "../../../core/failures/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment } from "./options.ts";

const sortKeys = ["name", "creator", "created"];
const dataKeys = ["all", "once", "multiple"] as const;

export const info: Verb = {
  name: "info",
  summary: "describe experiments, their values, runs and parameter sets",
  options: [
    experimentOption,
    { flags: "-a, --all", synopsis: "list all experiments" },
    { flags: "-i, --inventory", synopsis: "print run numbers, which happens anyway" },
    {
      flags: "--value <patterns>",
      synopsis: "variables with names that match one of these patterns, comma-separated",
      repeat: true,
    },
    { flags: "-r, --run <number>", synopsis: "print a run" },
    { flags: "-d, --data <kind>", synopsis: "also print the values of the run", choices: dataKeys },
    { flags: "-p, --pset <name>", synopsis: "print the values of a parameter set" },
    { flags: "-x, --xml <name>", synopsis: "print an attached description" },
    { flags: "--deleted", synopsis: "also print the numbers of deleted runs" },
    { flags: "-s, --sort <key>", synopsis: "sort key of --all", choices: sortKeys },
    { flags: "--creator <name>", synopsis: "--all: only experiments created by this user" },
    { flags: "--admin <user>", synopsis: "--all: only experiments that this user may change" },
    { flags: "--input <user>", synopsis: "--all: or into which this user may import" },
    { flags: "--query <user>", synopsis: "--all: or that this user may query" },
    { flags: "--any <user>", synopsis: "--all: or that this user may access in any way" },
    ...everyOption,
  ],
  async run(session, args) {
    if (args.flag("all")) await printAll(session, args);
    else await printOne(session, args, requiredExperiment(session, args));
    return 0;
  },
};

async function printOne(session: Session, args: Arguments, experiment: string): Promise<void> {
  const { output, workspace } = session;
  const location = databaseOf(session, args);
  const [parameterSet, run, attached, patterns] = [
    args.text("pset"),
    args.text("run"),
    args.text("xml"),
    args.texts("value"),
  ];
  const verbose = output.options.verbose;
  const ask = (
    more: Omit<Parameters<typeof infoExperiment>[1], "experiment" | "deleted">,
  ): ReturnType<typeof infoExperiment> =>
    infoExperiment(workspace, { experiment, deleted: true, ...more, ...location });
  const data = dataKeys.find((key) => key === args.text("data"));
  if (run !== undefined)
    output.data(runText(await ask({ runs: [parseRunName(run)], ...(data === undefined ? {} : { data }) })));
  else if (parameterSet !== undefined)
    output.data(await parameterSetText(session, parameterSet, () => ask({ parameterSet })));
  else if (attached !== undefined)
    output.data(await attachmentBytes(workspace, { experiment, name: attached, ...location }));
  else if (patterns.length > 0)
    output.data(valueText((await ask({ variables: anyOf(patterns) })).experiment.variables, verbose));
  else output.data(aboutText(await ask({}), args.flag("deleted"), verbose));
}

/** The alternation of several patterns; an empty pattern matches everything. */
function anyOf(lists: readonly string[]): string {
  return lists
    .flatMap((list) => list.split(","))
    .map((pattern) => `(?:${pattern})`)
    .join("|");
}

async function printAll(session: Session, args: Arguments): Promise<void> {
  const all = await describeExperiments(session.workspace, databaseOf(session, args));
  const shown = sorted(all.filter(isSelected(args)), args.text("sort"));
  for (const { experiment, runs } of shown)
    session.output.data(
      `${terminalText(experiment.name)}\t${counted(runs, "run")}\t${terminalText(experiment.synopsis ?? "")}\n`,
    );
}

/** One of the requested rights suffices, as in perfbase. */
function isSelected(args: Arguments): (each: DescribedExperiment) => boolean {
  const creator = args.text("creator");
  const [admin, input, query, any] = ["admin", "input", "query", "any"].map((name) => args.text(name));
  const asksForRights = [admin, input, query, any].some((user) => user !== undefined);
  return ({ experiment: { performedBy, admins = [], writers, readers }, owner }) => {
    const may = (user: string | undefined, ...lists: readonly (readonly string[])[]): boolean =>
      user !== undefined && lists.some((list) => list.includes(user));
    const made = owner === undefined ? [] : [owner];
    const fits = [
      may(admin, admins, made),
      may(input, writers),
      may(query, readers),
      may(any, admins, made, writers, readers),
    ];
    return (
      (creator === undefined || creator === performedBy || creator === owner) && (!asksForRights || fits.includes(true))
    );
  };
}

/** The input is sorted by name. */
function sorted(all: readonly DescribedExperiment[], key: string | undefined): readonly DescribedExperiment[] {
  const creator = ({ experiment, owner = "" }: DescribedExperiment): string => experiment.performedBy ?? owner;
  if (key === "creator")
    return all.toSorted((a, b) => Number(creator(a) > creator(b)) - Number(creator(a) < creator(b)));
  return key === "created" ? all.toSorted((a, b) => a.id - b.id) : all;
}

/** Python prints a fraction for every float: 1.0. */
function asFloat(text: string): string {
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Prints an unknown set without values, as perfbase does, with a note. */
async function parameterSetText(
  { output }: Session,
  name: string,
  ask: () => Promise<ExperimentInfo>,
): Promise<string> {
  try {
    return setText(name, await ask());
  } catch (error) {
    if (!isFailure(error, "unknown-parameter-set")) throw error;
    output.note(error.message);
    return `parameter set '${terminalText(name)}':\n`;
  }
}

function setText(name: string, { allVariables, setValues = new Map() as Values }: ExperimentInfo): string {
  const lines = [...setValues].map(([variable, value]) => {
    const type = allVariables.find((each) => each.name === variable)?.type ?? "text";
    const text = formatValue(value, type);
    return `  ${terminalText(variable)} = ${terminalText(type === "float" ? asFloat(text) : text)}\n`;
  });
  return `parameter set '${terminalText(name)}':\n${lines.join("")}`;
}

/** A run with its requested values. */
function runText({ runs: [run], data: [values] = [] }: ExperimentInfo): string {
  if (run === undefined) return "";
  const lines = [
    `Run ${run.number}${run.active ? "" : " (deleted)"}`,
    ` Creator   : ${terminalText(run.performer ?? "")}`,
    ` Performed : ${formatTimestamp(run.performed)}`,
    ` Created   : ${formatTimestamp(run.created)}`,
    ` Synopsis  : ${terminalText(run.synopsis ?? "")}`,
    ` Data sets : ${run.rows}`,
    ` Files     : ${run.sources.map(({ path }) => terminalText(path)).join(", ")}`,
    ...(values?.multiple === undefined ? [] : [" Contents of data sets:", ...tableLines(values.multiple)]),
    ...(values?.once === undefined ? [] : [" Contents of the run:", ...onceLines(values.once)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The first column is the number of the run. */
function tableLines(table: Table): string[] {
  const line = (cells: readonly string[]): string => `    ${cells.map(terminalText).join("\t")}`;
  const rows = rowsOf(table).map((cells) =>
    cells.slice(1).map((cell, at) => textOf(cell as Value, table.variables[at + 1]?.type ?? "text")),
  );
  return [table.variables.slice(1).map(({ name }) => name), ...rows].map(line);
}

function onceLines(table: Table): string[] {
  const [cells = []] = rowsOf(table);
  return table.variables
    .slice(1)
    .map(({ name, type }, at) => `    ${terminalText(name)} = ${terminalText(textOf(cells[at + 1] as Value, type))}`);
}

function textOf(value: Value, type: DataType): string {
  return value === null ? "None" : formatValue(value, type);
}

function aboutText(
  { experiment: about, runs, attachments, parameterSets }: ExperimentInfo,
  deleted: boolean,
  withValues: boolean,
): string {
  const numbers = (active: boolean): number[] => runs.filter((run) => run.active === active).map((run) => run.number);
  const kept = (kind: string): string[] =>
    attachments.filter((each) => each.kind === kind).map((each) => terminalText(each.name));
  const lines = [
    `Experiment ${about.name}`,
    ` Creator     : ${terminalText(about.performedBy ?? "")}`,
    ` Organization: ${terminalText(about.organization ?? "")}`,
    ` Project     : ${terminalText(about.project ?? "")}`,
    ` Synopsis    : ${terminalText(about.synopsis ?? "")}`,
    ` Description : ${terminalLines(about.description ?? "")}`,
    ` Readers     : ${about.readers.map(terminalText).join(" ")}`,
    ` Writers     : ${about.writers.map(terminalText).join(" ")}`,
    ` Parameter sets    : ${parameterSets.map(terminalText).join(" ")}`,
    ` Input descriptions: ${kept("input").join(" ")}`,
    ` Query descriptions: ${kept("query").join(" ")}`,
    ` Active runs : ${numbers(true).length}`,
    ` Indices of active runs: [${numbers(true).join(", ")}]`,
    ` Deleted runs: ${numbers(false).length}`,
    ...(deleted ? [` Indices of deleted runs: [${numbers(false).join(", ")}]`] : []),
  ];
  return `${lines.join("\n")}\n${withValues ? valueText(about.variables, true) : ""}`;
}

/** In order of name: several lines each, or one. */
function valueText(variables: readonly Variable[], verbose: boolean): string {
  const ordered = variables.toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
  const lines = ordered.flatMap((variable) => (verbose ? valueLines(variable) : [valueLine(variable)]));
  return lines.map((line) => `${line}\n`).join("");
}

function valueLines(variable: Variable): string[] {
  const { name, type, unit, role, occurrence, synopsis, default: fallback, valid } = variable;
  return [
    ` '${name}': ${typeText(variable)} [${formatUnit(unit)}]`,
    `    ${role} value, ${occurrence === "once" ? "single" : "multiple"} occurence`,
    ...(synopsis === undefined ? [] : [`    Synopsis: ${terminalText(synopsis)}`]),
    ...(fallback === undefined
      ? []
      : [`    Default: ${fallback === null ? "NULL" : terminalText(formatValue(fallback, type))}`]),
    ...(valid === undefined
      ? []
      : [`    Valid: ${valid.map((value) => terminalText(formatValue(value, type))).join(", ")}`]),
  ];
}

/** Letters: role (P, R), occurrence (O, M), default (D). */
function valueLine(variable: Variable): string {
  const { name, unit, role, occurrence, synopsis = "", default: fallback } = variable;
  const letters = [
    role === "result" ? "R" : "P",
    occurrence === "once" ? "O" : "M",
    fallback === undefined ? " " : "D",
  ];
  const columns = [
    name.padEnd(20),
    typeText(variable).padEnd(12),
    `[${formatUnit(unit)}]`.padEnd(15),
    letters.join(""),
    `(${terminalText(synopsis)})`,
  ];
  return ` ${columns.join("\t")}`;
}

function typeText({ type, size }: Variable): string {
  return `${type}${size === undefined ? "" : `(${size})`}`;
}
