import type { ExperimentInfo } from "../../../commands/experiments/info-experiment.ts";
import { rowsOf, type Table } from "../../../core/tables/table.ts";
import { terminalLines, terminalText } from "../../../core/text/terminal-text.ts";
import { formatTimestamp } from "../../../core/values/date-time.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import { formatValue, type DataType, type Value, type Values } from "../../../core/values/value.ts";
import type { Variable } from "../../../core/variables/variable.ts";

export function setText(name: string, { allVariables, contents = new Map() as Values }: ExperimentInfo): string {
  const lines = [...contents].map(([variable, value]) => {
    const type = allVariables.find((each) => each.name === variable)?.type ?? "text";
    return `  ${terminalText(variable)} = ${terminalText(formatValue(value, type))}\n`;
  });
  return `parameter set '${terminalText(name)}':\n${lines.join("")}`;
}

/** One run, with the contents that came along. */
export function runText({ runs: [run], data: [contents] = [] }: ExperimentInfo): string {
  if (run === undefined) return "";
  const lines = [
    `Run ${run.number}${run.active ? "" : " (deleted)"}`,
    ` Creator   : ${terminalText(run.performer ?? "")}`,
    ` Performed : ${formatTimestamp(run.performed)}`,
    ` Created   : ${formatTimestamp(run.created)}`,
    ` Synopsis  : ${terminalText(run.synopsis ?? "")}`,
    ` Data sets : ${run.dataSets}`,
    ` Files     : ${run.sources.map(({ path }) => terminalText(path)).join(", ")}`,
    ...(contents?.multiple === undefined ? [] : [" Contents of data sets:", ...tableLines(contents.multiple)]),
    ...(contents?.once === undefined ? [] : [" Contents of the run:", ...onceLines(contents.once)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The first column is the number of the run. */
function tableLines(table: Table): string[] {
  const line = (cells: readonly string[]): string => `    ${cells.map(terminalText).join("\t")}`;
  const rows = rowsOf(table).map((cells) =>
    cells.slice(1).map((cell, at) => content(cell as Value, table.variables[at + 1]?.type ?? "text")),
  );
  return [table.variables.slice(1).map(({ name }) => name), ...rows].map(line);
}

function onceLines(table: Table): string[] {
  const [cells = []] = rowsOf(table);
  return table.variables
    .slice(1)
    .map(({ name, type }, at) => `    ${terminalText(name)} = ${terminalText(content(cells[at + 1] as Value, type))}`);
}

function content(value: Value, type: DataType): string {
  return value === null ? "None" : formatValue(value, type);
}

export function aboutText(
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
export function valueText(variables: readonly Variable[], verbose: boolean): string {
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

/** Letters tell of the role (P, R), the occurrence (O, M) and whether there is a default (D). */
function valueLine(variable: Variable): string {
  const { name, unit, role, occurrence, synopsis = "", default: fallback } = variable;
  const letters = `${role === "result" ? "R" : "P"}${occurrence === "once" ? "O" : "M"}${fallback === undefined ? " " : "D"}`;
  const columns = [
    name.padEnd(20),
    typeText(variable).padEnd(12),
    `[${formatUnit(unit)}]`.padEnd(15),
    letters,
    `(${terminalText(synopsis)})`,
  ];
  return ` ${columns.join("\t")}`;
}

function typeText({ type, size }: Variable): string {
  return `${type}${size === undefined ? "" : `(${size})`}`;
}
