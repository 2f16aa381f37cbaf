import { NumberColumnBuilder, TextColumnBuilder, type ColumnBuilder } from "./column-builder.ts";
import {
  columnKind,
  type Column,
  type InternedColumn,
  type NumberColumn,
  type Table,
  type TextColumn,
} from "./table.ts";
import type { Json, Value } from "../values/index.ts";
import type { Variable } from "../variables/index.ts";

/** Builds a columnar table from rows. */
export class TableBuilder {
  readonly variables: readonly Variable[];
  readonly columns: readonly ColumnBuilder[];
  length = 0;

  constructor(variables: readonly Variable[], capacity = 64) {
    this.variables = variables;
    this.columns = variables.map((variable) => builderFor(variable, capacity));
  }

  /** `values` is parallel to the variables. */
  push(values: readonly Value[]): void {
    this.columns.forEach((column, at) => column.set(this.length, values[at] ?? null));
    this.length += 1;
  }

  /** Returns the rows so far and resets the builder. */
  take(): Table {
    const { variables, length } = this;
    this.length = 0;
    return { variables, columns: this.columns.map((column) => column.take(length)), length };
  }
}

function builderFor(variable: Variable, capacity?: number): ColumnBuilder {
  return columnKind(variable.type) === "text" ? new TextColumnBuilder(capacity) : new NumberColumnBuilder(capacity);
}

/** A table from a few rows, as in tests, summaries and catalogues. */
export function tableOf(variables: readonly Variable[], rows: readonly (readonly Value[])[]): Table {
  const builder = new TableBuilder(variables, Math.max(1, rows.length));
  for (const row of rows) builder.push(row);
  return builder.take();
}

export function numberColumn(values: readonly Value[] | Float64Array): NumberColumn {
  if (values instanceof Float64Array) return { kind: "number", values, missing: null, exact: null };
  const builder = new NumberColumnBuilder(Math.max(1, values.length));
  values.forEach((value, row) => builder.set(row, value));
  return builder.take(values.length);
}

export function textColumn(values: readonly (string | null)[]): TextColumn {
  const builder = new TextColumnBuilder(Math.max(1, values.length));
  values.forEach((value, row) => builder.set(row, value));
  return builder.take(values.length);
}

/** A column of `length` cells with the same value. */
export function constantColumn(variable: Variable, value: Value, length: number): NumberColumn | TextColumn {
  const builder = builderFor(variable, Math.max(1, length));
  builder.fill(value, 0, length);
  return builder.take(length);
}

/** Concatenates tables with the same variables in the same order. */
export function concatTables(tables: readonly Table[]): Table {
  const [first, ...rest] = tables;
  if (!first || rest.length === 0) return first ?? { variables: [], columns: [], length: 0 };
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  const columns = first.columns.map((_, at) => concatColumns(tables, at, length));
  return { variables: first.variables, columns, length };
}

/** Whether the rows of two tables can be concatenated. */
export function hasSameColumns(a: Table, b: Table): boolean {
  return (
    a.columns.length === b.columns.length &&
    a.variables.every(({ name }, at) => name === b.variables[at]?.name && a.columns[at]?.kind === b.columns[at]?.kind)
  );
}

function concatColumns(tables: readonly Table[], at: number, length: number): Column {
  const parts = tables.map((table) => ({ column: table.columns[at], length: table.length }));
  const kind = parts[0]?.column?.kind;
  if (kind === "number") return concatNumbers(parts.filter(isNumbers), length);
  return kind === "interned"
    ? concatCodes(parts.filter(isInterned), length, "interned")
    : concatCodes(parts.filter(isTexts), length, "text");
}

interface Part<C> {
  readonly column: C;
  readonly length: number;
}

const isNumbers = (part: Part<Column | undefined>): part is Part<NumberColumn> => part.column?.kind === "number";
const isTexts = (part: Part<Column | undefined>): part is Part<TextColumn> => part.column?.kind === "text";
const isInterned = (part: Part<Column | undefined>): part is Part<InternedColumn> => part.column?.kind === "interned";

function concatNumbers(parts: readonly Part<NumberColumn>[], length: number): NumberColumn {
  const values = new Float64Array(length);
  const missing = parts.some((part) => part.column.missing) ? new Uint8Array(length) : null;
  const exact = new Map<number, string>();
  let row = 0;
  for (const { column, length: rows } of parts) {
    values.set(column.values.subarray(0, rows), row);
    if (column.missing) missing?.set(column.missing.subarray(0, rows), row);
    for (const [at, digits] of column.exact ?? []) exact.set(row + at, digits);
    row += rows;
  }
  return { kind: "number", values, missing, exact: exact.size > 0 ? exact : null };
}

function concatCodes(parts: readonly Part<TextColumn>[], length: number, kind: "text"): TextColumn;
function concatCodes(parts: readonly Part<InternedColumn>[], length: number, kind: "interned"): InternedColumn;
function concatCodes(
  parts: readonly Part<TextColumn | InternedColumn>[],
  length: number,
  kind: "text" | "interned",
): Column {
  const codes = new Int32Array(length);
  const dictionary: (Json | undefined)[] = [];
  const known = new Map<Json | undefined, number>();
  let row = 0;
  for (const { column, length: rows } of parts) {
    const renamed = column.dictionary.map(
      (entry) => known.get(entry) ?? (known.set(entry, dictionary.push(entry) - 1), dictionary.length - 1),
    );
    for (let at = 0; at < rows; at++) codes[row + at] = renamed[column.codes[at] ?? -1] ?? -1;
    row += rows;
  }
  return kind === "text" ? { kind, codes, dictionary: dictionary as string[] } : { kind, codes, dictionary };
}
