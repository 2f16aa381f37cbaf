import { type Flat, flattenMembers, flatText, isObject, type Json, JsonNumber, formatValue } from "../values/index.ts";
import { type Column, type InternedColumn, type NumberColumn, type Table, valueAt } from "./table.ts";
import type { Variable } from "../variables/index.ts";

/** A column with nested values flattened into `uid`, `uid:function`, …. */
export interface FlatColumn {
  readonly name: string;
  /** True when every value is a number. */
  readonly numeric: boolean;
  /** True when every value is an integer by its type or spelling. */
  readonly integral: boolean;
  /** False for an empty text. */
  isMissing(row: number): boolean;
  /** Empty if the value is missing. */
  text(row: number): string;
  /** NaN if the value is missing or not a number. */
  number(row: number): number;
}

/** The columns of a table in its order; a nested column becomes one column per part, in order of first appearance. */
export function flatColumns(table: Table): FlatColumn[] {
  return table.columns.flatMap((column, i) => columnsOf(column, table.variables[i] as Variable));
}

/** The columns of a list of objects (models), one row per object; a non-object has the column `value`. */
export function flatRecords(records: readonly Json[]): FlatColumn[] {
  const rows = records.map(
    (record) => new Map(isObject(record) ? flattenMembers(record) : [["value", flatText(record)]]),
  );
  return namesOf(rows).map((name) => flatColumn(name, cellsOf(rows.map((row) => row.get(name))), (row) => row));
}

function columnsOf(column: Column, variable: Variable): FlatColumn[] {
  if (column.kind === "interned") return nestedColumns(column, variable.name);
  const text = (row: number): string => {
    const value = valueAt(column, row, variable.type);
    return value === null ? "" : formatValue(value, variable.type);
  };
  return [
    {
      name: variable.name,
      numeric: column.kind === "number",
      integral: variable.type === "integer",
      isMissing: (row) => valueAt(column, row, variable.type) === null,
      text,
      number: (row) => numberOf(column, row, text),
    },
  ];
}

function numberOf(column: Exclude<Column, InternedColumn>, row: number, text: (row: number) => string): number {
  if (column.kind === "text") return text(row) === "" ? Number.NaN : Number(text(row));
  return isMissing(column, row) ? Number.NaN : (column.values[row] ?? Number.NaN);
}

function isMissing(column: NumberColumn, row: number): boolean {
  return column.missing?.[row] === 1;
}

/** Each distinct value is flattened once. */
function nestedColumns({ dictionary, codes }: InternedColumn, name: string): FlatColumn[] {
  return partsOf(dictionary, name).map(([part, cells]) => flatColumn(part, cells, (row) => codes[row] ?? -1));
}

type Part = readonly [name: string, cells: FlatCells];

/** The parts of dictionaries: several views of a profile flatten the same one. */
const flattened = new WeakMap<InternedColumn["dictionary"], { readonly name: string; readonly parts: Part[] }>();

/** The cells of each part of the values of a column. */
function partsOf(dictionary: InternedColumn["dictionary"], name: string): Part[] {
  const known = flattened.get(dictionary);
  if (known?.name === name) return known.parts;
  const values = dictionary.map(
    (value) => new Map(value === undefined ? [] : flattenMembers(new Map([[name, value]]))),
  );
  const parts = namesOf(values).map((part): Part => [part, cellsOf(values.map((value) => value.get(part)))]);
  flattened.set(dictionary, { name, parts });
  return parts;
}

function namesOf(rows: readonly ReadonlyMap<string, Flat>[]): string[] {
  return [...new Set(rows.flatMap((row) => [...row.keys()]))];
}

interface FlatCells {
  readonly values: readonly (Flat | undefined)[];
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly numeric: boolean;
  readonly integral: boolean;
}

function cellsOf(values: readonly (Flat | undefined)[]): FlatCells {
  const numeric = values.every((value) => value === undefined || value instanceof JsonNumber);
  return {
    values,
    texts: values.map((value) => (value === undefined ? "" : flatText(value))),
    numbers: values.map((value) => (value instanceof JsonNumber ? value.value : Number.NaN)),
    numeric,
    integral: numeric && values.every((value) => !(value instanceof JsonNumber) || value.isInteger),
  };
}

/** `at`: the index of a row's cell; -1: missing. */
function flatColumn(name: string, cells: FlatCells, at: (row: number) => number): FlatColumn {
  const { values, texts, numbers, numeric, integral } = cells;
  return {
    name,
    numeric,
    integral,
    isMissing: (row) => values[at(row)] === undefined,
    text: (row) => texts[at(row)] ?? "",
    number: (row) => numbers[at(row)] ?? Number.NaN,
  };
}
