import { Failure } from "../../core/failures/index.ts";
import { TableBuilder } from "../../core/tables/index.ts";
import type { Value, Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { PlainRow, type SourceRow } from "../../formats/text/index.ts";
import { toBaseUnit } from "../../formats/benchmarks/index.ts";
import type { ImportEvent } from "./importer.ts";
import { columnNotices, noResult } from "./table-column-notices.ts";
import { asWritten, cellValue, isMissing, PlainCells } from "./table-cells.ts";
import { columnsOf, type KnownColumn, type SourceColumn } from "./table-columns.ts";

/** Column types are inferred from this many rows or cells; further rows are streamed. */
const [mostSampledRows, mostSampledCells] = [10_000, 1 << 20] as const;

/** Approximate number of cells per table. */
const cellsAtOnce = 1 << 18;

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
        const values = valuesOf(row, columns, file, plain);
        const { lists }: SourceRow = row;
        if (lists === undefined) builder.push(values);
        else
          for (const each of samplesOf(values, lists, columns)) {
            builder.push(each);
            if (builder.length >= most) yield { kind: "rows", table: builder.take() };
          }
        if (row.cells.length < columns.length) plain.addShort(row.line);
      }
      if (builder.length >= most) yield { kind: "rows", table: builder.take() };
    }
  if (builder.length > 0) yield { kind: "rows", table: builder.take() };
  // Objects have other keys, rows of text the cells of the header.
  if (format === "csv") yield* plain.shortRows();
  yield* plain.missingCells();
  yield* plain.lostDigits();
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

function valuesOf({ line, cells }: SourceRow, columns: readonly SourceColumn[], file: string, to: PlainCells): Value[] {
  if (cells.length > columns.length) {
    const problem = `the row has ${cells.length} cells, the header ${columns.length}`;
    throw new Failure("damaged-report", { file, problem, line });
  }
  return columns.map((column, at) => {
    const cell = cells[at] ?? null;
    if (column.variable.type === "string" || !isMissing(cell)) {
      const value = cellValue(cell, column, file, line);
      to.addLossy(line, cell, column);
      return value;
    }
    to.addMissing(line, String(cell));
    return null;
  });
}

/**
 * The rows of a row with lists: one per sample, numbered from 1 by the column that has a 1 in this row as its list.
 * Other results are only in the first one. The array is reused.
 */
function* samplesOf(
  values: Value[],
  lists: NonNullable<SourceRow["lists"]>,
  columns: readonly SourceColumn[],
): Generator<Value[]> {
  const length = Math.max(1, ...[...lists.values()].map((list) => list.length));
  for (let sample = 0; sample < length; sample++) {
    for (const [at, list] of lists) {
      const value = list[sample] ?? null;
      const { unit } = columns[at]!;
      values[at] = value === null || unit === undefined ? value : toBaseUnit(value, unit);
    }
    yield values;
    if (sample === 0)
      for (const [at, { variable }] of columns.entries()) if (variable.role === "result") values[at] = null;
  }
}
