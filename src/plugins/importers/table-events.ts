import { directionOfName, mostVariables } from "../../core/measurements/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { TableBuilder } from "../../core/tables/index.ts";
import { parseUnit, type Unit, type DataType, type Value, type Values } from "../../core/values/index.ts";
import { VariableNames, type Variable } from "../../core/variables/index.ts";
import { hasPluralMark, PlainRow, type SourceRow } from "../../formats/text/index.ts";
import { reportUnit, type ReportUnit } from "../../formats/benchmarks/index.ts";
import type { ImportEvent } from "./importer.ts";
import { columnNotices, isIdentifier, noResult } from "./table-column-notices.ts";
import {
  areIntegers,
  asWritten,
  cellValue,
  isMissing,
  isTimeIn,
  isVaried,
  numberOf,
  PlainCells,
  truthIn,
  type Cell,
} from "./table-cells.ts";

/** Column types are inferred from this many rows or cells; further rows are streamed. */
const [mostSampledRows, mostSampledCells] = [10_000, 1 << 20] as const;

/** Approximate number of cells per table. */
const cellsAtOnce = 1 << 18;

/** A column of a table: its name and its type. */
interface SourceColumn {
  readonly variable: Variable;
  readonly unit: ReportUnit | undefined;
  /** The file has types: times are numbers. */
  readonly isTyped: boolean;
}

/**
 * Rows per block, for tables that are read row by row. Inference depends on it, but not on the chunks of the input.
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

/** The sample number of exports: comparisons treat an integer column of this name as the replicate index. */
const sampleName = "sample";

export interface TableSource {
  readonly file: string;
  readonly format: string;
  /** Values of `tableOptions`. */
  readonly options: Values;
  /** Metadata of each column, if the file has any. */
  readonly known?: readonly KnownColumn[];
}

const listed = { role: "parameter", occurrence: "once", type: "text", default: null } as const;

/** Options of all importers of tables. */
export const tableOptions: readonly Variable[] = [
  { ...listed, name: "parameters", synopsis: "columns, one per line, that are parameters regardless of their type" },
  {
    ...listed,
    name: "results",
    synopsis: "numeric columns, one per line, that are results regardless of repetition",
  },
];

/** Metadata of a column in the file. */
export interface KnownColumn {
  /** The type of the cells. */
  readonly type: DataType;
  /** Set for exported variables: their names and numbers are not reinterpreted. */
  readonly role?: Variable["role"];
  readonly unit?: Unit;
  readonly better?: "lower" | "higher";
  readonly synopsis?: string;
}

/**
 * Reads a table with a header as one run. Texts, times and booleans are parameters, as are integers without a unit that
 * have at most half as many different values as rows; all other numbers are results. `headings` may grow while rows are
 * read. Fails with `damaged-report`, `no-results`, `no-result-column`.
 */
export async function* tableEvents(
  rows: AsyncIterable<readonly SourceRow[]>,
  headings: () => readonly string[],
  { file, format, options, known = [] }: TableSource,
): AsyncGenerator<ImportEvent> {
  const rest = rows[Symbol.asyncIterator]();
  const first = await readSample(rest, headings);
  const sample = first.flat().slice(0, rowsToLookAt(headings()));
  const columns = rolesGiven(columnsOf(headings(), sample, file, known), headings(), format, options);
  const variables = columns.map(({ variable }) => variable);
  if (first.length === 0) throw new Failure("no-results", { file, format });
  if (variables.every(({ role }) => role !== "result")) throw noResult(columns, sample, file);
  yield { kind: "declare", variables };
  yield* columnNotices(columns, sample);
  const most = Math.ceil(cellsAtOnce / variables.length);
  const builder = new TableBuilder(columns.map(asWritten));
  const plain = new PlainCells(builder, columns);
  for (let block = first.shift(); block !== undefined; block = first.shift() ?? (await next(rest)))
    for (const row of block) {
      if (!(row instanceof PlainRow && plain.push(row))) {
        builder.push(valuesOf(row, columns, file, plain));
        if (row.cells.length < columns.length) plain.addShort(row.line);
      }
      if (builder.length >= most) yield { kind: "rows", table: builder.take() };
    }
  if (builder.length > 0) yield { kind: "rows", table: builder.take() };
  // Objects have other keys, rows of text the cells of the header.
  if (format === "csv") yield* plain.shortRows();
  yield* plain.missingCells();
  yield { kind: "end" };
}

/** Reads at least the rows that are sampled. */
async function readSample(
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
      problem: `it has ${headings.length} columns; the limit is ${mostVariables}`,
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
    return { variable: knownVariable(names.of(heading), known, known.role), unit: undefined, isTyped: true };
  if (heading === sampleName && known === undefined && typeOf(cells) === "float" && areIntegers(cells))
    return {
      variable: knownVariable(names.of(heading), { type: "integer" }, "parameter"),
      unit: undefined,
      isTyped: false,
    };
  const inferred = known?.type ?? typeOf(cells);
  const type = inferred === "float" && known === undefined && isIdentifier(heading, cells) ? "string" : inferred;
  const { name, unit } = type === "float" ? splitHeading(heading) : { name: heading, unit: undefined };
  const isParameter = type !== "float" || (unit === undefined && isVaried(cells));
  const base = unit === undefined || unit.unit === "" ? {} : { unit: parseUnit(unit.unit) };
  const direction = unit?.unit === "s" ? "lower" : isParameter || unit?.unit ? undefined : directionOfName(heading);
  const better = direction === undefined ? {} : { better: direction };
  const variable: Variable = {
    name: names.of(name),
    role: isParameter ? "parameter" : "result",
    occurrence: "multiple",
    type,
    default: null,
    ...base,
    ...better,
  };
  return { variable, unit, isTyped: known !== undefined };
}

/**
 * Applies the roles from the options. Fails with `bad-collector-option` for unknown columns, and for results that are
 * not numbers.
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
  const there = cells.filter((cell) => cell !== null && !isMissing(cell));
  if (there.length === 0) return "string";
  if (there.every((cell) => numberOf(cell) !== undefined)) return "float";
  for (const type of ["date", "timestamp"] as const)
    if (cells.every((cell) => cell === null || isTimeIn(cell, type))) return type;
  return there.every((cell) => truthIn(cell) !== undefined) ? "boolean" : "string";
}

/** `time [s]`, `time (ms)`, `time_ms`; undefined: no known unit. */
function splitHeading(heading: string): { readonly name: string; readonly unit: ReportUnit | undefined } {
  const [, name = heading, text = ""] =
    /^(.{1,200}?)\s*[[(]([^[\]()]{1,40})[\])]$/.exec(heading) ??
    /^(.{1,200})[_.](ps|ns|us|ms|s|sec|seconds|bytes|kb|mb|gb|kib|mib|gib|percent)$/i.exec(heading) ??
    [];
  const unit =
    text === "" || (text === "s" && hasPluralMark(heading))
      ? undefined
      : knownUnit(text.replace(/^([kmg])ib$/i, (_, prefix: string) => `${prefix.toUpperCase()}iByte`));
  return unit === undefined ? { name: heading, unit } : { name, unit };
}

/** Text that is not a unit stays part of the name. */
function knownUnit(text: string): ReportUnit | undefined {
  const trimmed = text.trim();
  const word = trimmed.toLowerCase() === "sec" ? "s" : trimmed;
  const unit = reportUnit(word);
  return unit.unit === word && unit.quantity === word ? undefined : unit;
}

function valuesOf({ line, cells }: SourceRow, columns: readonly SourceColumn[], file: string, to: PlainCells): Value[] {
  if (cells.length > columns.length) {
    const problem = `the row has ${cells.length} cells, the header ${columns.length}`;
    throw new Failure("damaged-report", { file, problem, line });
  }
  return columns.map((column, at) => {
    const cell = cells[at] ?? null;
    if (column.variable.type === "string" || !isMissing(cell)) return cellValue(cell, column, file, line);
    to.addMissing(line, String(cell));
    return null;
  });
}
