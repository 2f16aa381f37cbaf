import type { Run } from "../../core/profiles/index.ts";
import type { Column, Table, InternedColumn, NumberColumn } from "../../core/tables/index.ts";
import { isList, isObject, type Json, type JsonObject, JsonNumber, type DataType } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { printJson } from "../json/index.ts";

/**
 * Concatenates the runs of one measurement: all rows and all exit statuses; everything else comes from the first run.
 */
export function concatenateRuns(runs: readonly [Run, ...Run[]]): Run {
  const [first, ...others] = runs;
  if (others.length === 0) return first;
  const extra = new Map<string, Json>(first.extra);
  const executions = runs.map((run) => run.extra.get("execution")).filter(isObject);
  if (executions.length > 0) extra.set("execution", mergeExecutions(executions));
  extra.set("header", mergeHeaders(runs));
  // Of several runs there is no one order of time.
  extra.delete("timeline");
  return { ...first, data: concatenateTables(runs.map((run) => run.data)), extra };
}

/** Like `concatenateRuns` for repetitions of one measurement: the column `order` continues from run to run. */
export function concatenateRounds(runs: readonly [Run, ...Run[]]): Run {
  let before = 0;
  const [first, ...others] = runs.map((run): Run => {
    const moved = { ...run, data: shiftOrder(run.data, before) };
    before += maxOrder(run.data);
    return moved;
  });
  return concatenateRuns([first!, ...others]);
}

/** Merges the units of all headers. */
function mergeHeaders(runs: readonly Run[]): JsonObject {
  const headers = runs.map((run) => run.extra.get("header")).filter(isObject);
  const units = headers.map((header) => header.get("units")).filter(isObject);
  const [first = new Map<string, Json>()] = headers;
  return units.length === 0 ? first : new Map([...first, ["units", new Map(units.flatMap((own) => [...own]))]]);
}

/** The exit statuses of all executions, with the output of the last. */
function mergeExecutions(executions: readonly JsonObject[]): JsonObject {
  const statuses = executions.flatMap((execution) => {
    const status = execution.get("status");
    return isList(status) ? status : [];
  });
  return new Map([...(executions.at(-1) ?? []), ["status", statuses]]);
}

function orderColumn({ variables, columns }: Table): Column | undefined {
  return columns[variables.findIndex(({ name }) => name === "order")];
}

function maxOrder(table: Table): number {
  const column = orderColumn(table);
  return column?.kind === "number" ? column.values.reduce((most, value) => Math.max(most, value), 0) : 0;
}

function shiftOrder(table: Table, by: number): Table {
  const column = orderColumn(table);
  if (column?.kind !== "number" || by === 0) return table;
  const moved = { ...column, values: column.values.map((value) => value + by) };
  return { ...table, columns: table.columns.map((each) => (each === column ? moved : each)) };
}

interface ColumnPiece {
  readonly variable: Variable;
  readonly column: Column;
}

/** Concatenates the rows of tables. Cells of variables that a table lacks are missing. */
export function concatenateTables(tables: readonly Table[]): Table {
  const [only, ...others] = tables;
  if (only !== undefined && others.length === 0) return only;
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  const names = new Set(tables.flatMap((table) => table.variables.map(({ name }) => name)));
  const merged = [...names].map((name) => concatenateColumn(tables, name, length));
  return { variables: merged.map(({ variable }) => variable), columns: merged.map(({ column }) => column), length };
}

/** Adds a column with one value in all rows, unless the table has a variable of that name. */
export function addConstantColumn(table: Table, name: string, value: number | string): Table {
  if (table.variables.some((variable) => variable.name === name)) return table;
  const { length } = table;
  const column: Column =
    typeof value === "number"
      ? { kind: "number", values: new Float64Array(length).fill(value), missing: null, exact: null }
      : { kind: "interned", dictionary: [value], codes: new Int32Array(length) };
  const type: DataType = typeof value === "string" ? "text" : Number.isSafeInteger(value) ? "integer" : "float";
  const variable: Variable = { name, role: "parameter", occurrence: "multiple", type };
  return { variables: [...table.variables, variable], columns: [...table.columns, column], length };
}

function concatenateColumn(tables: readonly Table[], name: string, length: number): ColumnPiece {
  const parts = tables.map((table): ColumnPiece | undefined => {
    const at = table.variables.findIndex((variable) => variable.name === name);
    const [variable, column] = [table.variables[at], table.columns[at]];
    return variable && column ? { variable, column } : undefined;
  });
  const present = parts.filter((part) => part !== undefined);
  const lengths = tables.map((table) => table.length);
  const first = present[0]!.variable;
  if (!present.every(({ column }) => column.kind === "number"))
    return { variable: first, column: concatenateCells(parts, lengths, length) };
  const isUniform = present.every(({ variable }) => variable.type === first.type);
  const variable: Variable = isUniform ? first : { ...first, type: "float" };
  const isPlain = isUniform && present.every(({ column }) => column.kind === "number" && column.integers === undefined);
  const { integers, ...column } = concatenateNumbers(parts, lengths, length);
  return { variable, column: isPlain ? column : { ...column, integers } };
}

function concatenateNumbers(
  parts: readonly (ColumnPiece | undefined)[],
  lengths: readonly number[],
  length: number,
): NumberColumn & { readonly integers: Uint8Array } {
  const values = new Float64Array(length);
  const missing = new Uint8Array(length);
  const integers = new Uint8Array(length);
  const exact = new Map<number, string>();
  let start = 0;
  for (const [index, part] of parts.entries()) {
    const end = start + lengths[index]!;
    if (part?.column.kind !== "number") missing.fill(1, start, end);
    else {
      const { column, variable } = part;
      values.set(column.values.subarray(0, end - start), start);
      if (column.missing) missing.set(column.missing.subarray(0, end - start), start);
      if (column.integers) integers.set(column.integers.subarray(0, end - start), start);
      else integers.fill(variable.type === "integer" ? 1 : 0, start, end);
      for (const [row, digits] of column.exact ?? []) exact.set(start + row, digits);
    }
    start = end;
  }
  return {
    kind: "number",
    values,
    missing: missing.includes(1) ? missing : null,
    exact: exact.size > 0 ? exact : null,
    integers,
  };
}

/** Equal cells share a dictionary entry, because rows are grouped by code. */
function concatenateCells(
  parts: readonly (ColumnPiece | undefined)[],
  lengths: readonly number[],
  length: number,
): InternedColumn {
  const codes = new Int32Array(length).fill(-1);
  const dictionary: Json[] = [];
  const codeByText = new Map<string, number>();
  const codeOf = (cell: Json): number => {
    const text = new TextDecoder().decode(printJson(cell));
    const code = codeByText.get(text) ?? dictionary.push(cell) - 1;
    codeByText.set(text, code);
    return code;
  };
  let start = 0;
  for (const [index, part] of parts.entries()) {
    if (part) fillCodes(part, codes.subarray(start, start + lengths[index]!), codeOf);
    start += lengths[index]!;
  }
  return { kind: "interned", dictionary, codes };
}

function fillCodes({ column, variable }: ColumnPiece, codes: Int32Array, codeOf: (cell: Json) => number): void {
  if (column.kind === "number") {
    for (let row = 0; row < codes.length; row++)
      if (column.missing?.[row] !== 1) codes[row] = codeOf(numberCell(column, variable.type, row));
    return;
  }
  const newCodes = column.dictionary.map((cell) => (cell === undefined ? -1 : codeOf(cell)));
  for (let row = 0; row < codes.length; row++) codes[row] = newCodes[column.codes[row] ?? -1] ?? -1;
}

function numberCell(column: NumberColumn, type: DataType, row: number): JsonNumber {
  const value = column.values[row]!;
  const isInteger = column.integers ? column.integers[row] === 1 : type === "integer";
  return isInteger && Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}
