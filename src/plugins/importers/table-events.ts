import { mostVariables } from "../../core/measurements/benchmark-report.ts";
import { Failure } from "../../core/failures/failure.ts";
import { InvalidValue } from "../../core/values/invalid-value.ts";
import { readFloat } from "../../core/values/parse-number.ts";
import { TableBuilder } from "../../core/tables/table-builder.ts";
import { parseUnit, type Unit } from "../../core/values/unit.ts";
import type { DataType, Value, Values } from "../../core/values/value.ts";
import { VariableNames } from "../../core/variables/variable-names.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { PlainRow, type SourceRow } from "../../formats/text/csv-rows.ts";
import { toBaseUnit, reportUnit, type ReportUnit } from "../../formats/benchmarks/report/report-unit.ts";
import type { ImportEvent } from "./importer.ts";
import { PlainCells, truthOf } from "./table-cells.ts";

/** What columns are is told by so many rows, or so many cells; the rest is not held in memory. */
const [mostSampledRows, mostSampledCells] = [10_000, 1 << 20] as const;

/** Rows that are written at once, more or less. */
const cellsAtOnce = 1 << 18;

/** A column of a table: what it is called and what it holds. */
interface SourceColumn {
  readonly variable: Variable;
  readonly unit: ReportUnit | undefined;
}

type Cell = SourceRow["cells"][number];

/**
 * Rows that are handed on at once, of tables whose rows come one by one. What is looked at depends on it, on pieces of
 * the input it does not.
 */
const rowsAtOnce = 250;

export async function* inBlocks(
  rows: AsyncIterable<SourceRow> | Iterable<SourceRow>,
): AsyncGenerator<readonly SourceRow[]> {
  let block: SourceRow[] = [];
  for await (const row of rows) {
    if (block.push(row) < rowsAtOnce) continue;
    yield block;
    block = [];
  }
  yield block;
}

/**
 * Counts the samples of a benchmark in what is exported: whoever compares takes it for a repetition where it is an
 * integer.
 */
const sampleName = "sample";

export interface TableSource {
  readonly file: string;
  readonly format: string;
  /** Contents of `tableOptions`. */
  readonly options: Values;
  /** Of each column, where the file tells it. */
  readonly known?: readonly KnownColumn[];
}

const listed = { role: "parameter", occurrence: "once", type: "text", default: null } as const;

/** Options of all importers of tables. */
export const tableOptions: readonly Variable[] = [
  { ...listed, name: "parameters", synopsis: "columns, a line each, that say what was varied, whatever is in them" },
  {
    ...listed,
    name: "results",
    synopsis: "columns of numbers, a line each, that were measured, however often they repeat",
  },
];

/** What a file tells of a column. */
export interface KnownColumn {
  /** Cells are as `Value` has them. */
  readonly type: DataType;
  /** Told of columns that were variables before: their names and numbers are taken as they are. */
  readonly role?: Variable["role"];
  readonly unit?: Unit;
  readonly better?: "lower" | "higher";
  readonly synopsis?: string;
}

/**
 * A table with a head as one run. Texts and truth values are parameters; so are whole numbers without a unit of which
 * there are at most half as many different ones as rows; all other numbers are results. `headings` may grow while rows
 * are read. Fails with `damaged-report`, `no-results`.
 */
export async function* tableEvents(
  rows: AsyncIterable<readonly SourceRow[]>,
  headings: () => readonly string[],
  { file, format, options, known = [] }: TableSource,
): AsyncGenerator<ImportEvent> {
  const rest = rows[Symbol.asyncIterator]();
  const first = await firstBlocks(rest, headings);
  const sample = first.flat().slice(0, rowsToLookAt(headings()));
  const columns = rolesGiven(columnsOf(headings(), sample, file, known), headings(), format, options);
  const variables = columns.map(({ variable }) => variable);
  if (first.length === 0 || variables.every(({ role }) => role !== "result"))
    throw new Failure("no-results", { file, format });
  yield { kind: "declare", variables };
  const most = Math.ceil(cellsAtOnce / variables.length);
  const builder = new TableBuilder(variables);
  const plain = new PlainCells(builder, columns);
  for (let block = first.shift(); block !== undefined; block = first.shift() ?? (await next(rest)))
    for (const row of block) {
      if (!(row instanceof PlainRow && plain.push(row))) builder.push(valuesOf(row, columns, file));
      if (builder.length >= most) yield { kind: "rows", table: builder.take() };
    }
  if (builder.length > 0) yield { kind: "rows", table: builder.take() };
  yield { kind: "end" };
}

/** At least as many rows as are looked at. */
async function firstBlocks(
  rows: AsyncIterator<readonly SourceRow[]>,
  headings: () => readonly string[],
): Promise<(readonly SourceRow[])[]> {
  const blocks: (readonly SourceRow[])[] = [];
  for (let count = 0; count < rowsToLookAt(headings());) {
    const block = await next(rows);
    if (block === undefined) break;
    if (block.length > 0) blocks.push(block);
    count += block.length;
  }
  return blocks;
}

function rowsToLookAt({ length }: readonly string[]): number {
  return Math.min(mostSampledRows, Math.ceil(mostSampledCells / Math.max(1, length)));
}

async function next(rows: AsyncIterator<readonly SourceRow[]>): Promise<readonly SourceRow[] | undefined> {
  const { done, value } = await rows.next();
  return done === true ? undefined : value;
}

function columnsOf(
  headings: readonly string[],
  rows: readonly SourceRow[],
  file: string,
  known: readonly KnownColumn[],
): SourceColumn[] {
  if (headings.length > mostVariables)
    throw new Failure("damaged-report", {
      file,
      problem: `it has ${headings.length} columns, at most ${mostVariables} are read`,
    });
  const names = new VariableNames();
  const cells = rows.map((row) => row.cells);
  return headings.map((heading, at) =>
    columnOf(
      heading,
      cells.map((row) => row[at] ?? null),
      names,
      known[at],
    ),
  );
}

function columnOf(
  heading: string,
  cells: readonly Cell[],
  names: VariableNames,
  known: KnownColumn | undefined,
): SourceColumn {
  if (known?.role !== undefined)
    return { variable: knownVariable(names.of(heading), known, known.role), unit: undefined };
  if (heading === sampleName && known === undefined && typeOf(cells) === "float" && areWhole(cells))
    return { variable: knownVariable(names.of(heading), { type: "integer" }, "parameter"), unit: undefined };
  const type = known?.type ?? typeOf(cells);
  const { name, unit } = type === "float" ? splitHeading(heading) : { name: heading, unit: undefined };
  const isParameter = type !== "float" || (unit === undefined && isVaried(cells));
  const base = unit === undefined || unit.unit === "" ? {} : { unit: parseUnit(unit.unit) };
  const better = unit?.unit === "s" ? { better: "lower" as const } : {};
  const variable: Variable = {
    name: names.of(name),
    role: isParameter ? "parameter" : "result",
    occurrence: "multiple",
    type,
    default: null,
    ...base,
    ...better,
  };
  return { variable, unit };
}

/**
 * The user knows better. Fails with `bad-collector-option` for names of no column, and for results that are no numbers.
 */
function rolesGiven(
  columns: readonly SourceColumn[],
  headings: readonly string[],
  plugin: string,
  options: Values,
): SourceColumn[] {
  const roles = new Map<number, Variable["role"]>();
  for (const { name: option } of tableOptions)
    for (const value of linesIn(options.get(option))) {
      const at = headings.findIndex((heading, each) => heading === value || columns[each]?.variable.name === value);
      const isNumber = columns[at]?.variable.type === "float" || columns[at]?.variable.type === "integer";
      const role = option === "results" ? "result" : "parameter";
      if (at >= 0 && (isNumber || role === "parameter")) roles.set(at, role);
      else {
        const expected = at < 0 ? "a column of the file" : "a column of numbers";
        throw new Failure("bad-collector-option", {
          plugin,
          option,
          value: value.slice(0, 80),
          expected,
          example: headings[0] ?? "",
        });
      }
    }
  return columns.map((column, at) => ({
    ...column,
    variable: { ...column.variable, role: roles.get(at) ?? column.variable.role },
  }));
}

function linesIn(value: Value | undefined): string[] {
  return typeof value === "string" ? value.split("\n").filter((line) => line !== "") : [];
}

function knownVariable(name: string, { type, unit, better, synopsis }: KnownColumn, role: Variable["role"]): Variable {
  return {
    name,
    role,
    occurrence: "multiple",
    type,
    default: null,
    ...(unit === undefined ? {} : { unit }),
    ...(better === undefined ? {} : { better }),
    ...(synopsis === undefined ? {} : { synopsis }),
  };
}

function typeOf(cells: readonly Cell[]): DataType {
  const there = cells.filter((cell) => cell !== null);
  if (there.length === 0) return "string";
  if (there.every((cell) => numberOf(cell) !== undefined)) return "float";
  return there.every((cell) => truthIn(cell) !== undefined) ? "boolean" : "string";
}

/** Whole numbers of which some are there again and again. */
function isVaried(cells: readonly Cell[]): boolean {
  const numbers = cells.filter((cell) => cell !== null).map((cell) => numberOf(cell) ?? Number.NaN);
  return numbers.every((value) => Number.isInteger(value)) && new Set(numbers).size * 2 <= numbers.length;
}

function areWhole(cells: readonly Cell[]): boolean {
  return cells.every((cell) => cell === null || Number.isSafeInteger(numberOf(cell)));
}

/** `time [s]`, `time (ms)`, `time_ms`; undefined: no unit that is known. */
function splitHeading(heading: string): { readonly name: string; readonly unit: ReportUnit | undefined } {
  const [, name = heading, text = ""] =
    /^(.{1,200}?)\s*[[(]([^[\]()]{1,40})[\])]$/.exec(heading) ??
    /^(.{1,200})[_.](ps|ns|us|ms|s|sec|seconds|bytes|kb|mb|gb|kib|mib|gib|percent)$/i.exec(heading) ??
    [];
  const unit =
    text === ""
      ? undefined
      : knownUnit(text.replace(/^([kmg])ib$/i, (_, prefix: string) => `${prefix.toUpperCase()}iByte`));
  return unit === undefined ? { name: heading, unit } : { name, unit };
}

/** What is no unit stays part of the name. */
function knownUnit(text: string): ReportUnit | undefined {
  const word = text.toLowerCase() === "sec" ? "s" : text;
  const unit = reportUnit(word);
  return unit.unit === word && unit.quantity === word ? undefined : unit;
}

function numberOf(cell: Cell): number | undefined {
  if (typeof cell === "number") return cell;
  if (typeof cell === "bigint") return Number(cell);
  const value = typeof cell === "string" ? readFloat(cell) : undefined;
  return value === undefined || value instanceof InvalidValue ? undefined : value;
}

function truthIn(cell: Cell): boolean | undefined {
  if (typeof cell === "boolean") return cell;
  return typeof cell === "string" ? truthOf(cell) : undefined;
}

function valuesOf({ line, cells }: SourceRow, columns: readonly SourceColumn[], file: string): Value[] {
  if (cells.length > columns.length) {
    const problem = `the row has ${cells.length} cells, the head ${columns.length}`;
    throw new Failure("damaged-report", { file, problem, line });
  }
  return columns.map((column, at) => cellValue(cells[at] ?? null, column, file, line));
}

function cellValue(cell: Cell, { variable: { name, type }, unit }: SourceColumn, file: string, line: number): Value {
  if (cell === null) return null;
  if (type === "string") return String(cell);
  const value = type === "boolean" ? truthIn(cell) : numberOf(cell);
  if (value === undefined) {
    const problem = `'${String(cell).slice(0, 40)}' in the column ${name}, which the first rows have ${type === "boolean" ? "truth values" : "numbers"} in`;
    throw new Failure("damaged-report", { file, problem, line });
  }
  if (type === "integer" && typeof cell === "bigint") return cell;
  if (type === "integer" && typeof value === "number" && !Number.isSafeInteger(value)) {
    const problem = `'${String(cell).slice(0, 40)}' in the column ${name}, which the first rows have whole numbers in`;
    throw new Failure("damaged-report", { file, problem, line });
  }
  return typeof value === "number" && unit !== undefined ? toBaseUnit(value, unit) : value;
}
