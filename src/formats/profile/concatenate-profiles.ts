import type { Run } from "../../core/profiles/run.ts";
import type { Column, Table, InternedColumn, NumberColumn } from "../../core/tables/table.ts";
import { isList, isObject, type Json, type JsonObject, JsonNumber } from "../../core/values/json.ts";
import type { DataType } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { printJson } from "../json/json.ts";

/**
 * The runs of one measurement as one run: their rows one below the other, how each program ended, and all else as the
 * first has it.
 */
export function joinedRuns(runs: readonly [Run, ...Run[]]): Run {
  const [first, ...others] = runs;
  if (others.length === 0) return first;
  const extra = new Map<string, Json>(first.extra);
  const executions = runs.map((run) => run.extra.get("execution")).filter(isObject);
  if (executions.length > 0) extra.set("execution", joinedExecution(executions));
  extra.set("header", joinedHeader(runs));
  return { ...first, data: joinedTables(runs.map((run) => run.data)), extra };
}

/** The same where the runs repeat one measurement: the numbers in the column `order` go on from run to run. */
export function joinedRounds(runs: readonly [Run, ...Run[]]): Run {
  let before = 0;
  const [first, ...others] = runs.map((run): Run => {
    const moved = { ...run, data: movedOrder(run.data, before) };
    before += greatestOrder(run.data);
    return moved;
  });
  return joinedRuns([first!, ...others]);
}

/** The unit of an amount is that of the run that has it. */
function joinedHeader(runs: readonly Run[]): JsonObject {
  const headers = runs.map((run) => run.extra.get("header")).filter(isObject);
  const units = headers.map((header) => header.get("units")).filter(isObject);
  const [first = new Map<string, Json>()] = headers;
  return units.length === 0 ? first : new Map([...first, ["units", new Map(units.flatMap((own) => [...own]))]]);
}

/** Statuses of all; what was printed is that of the last. */
function joinedExecution(executions: readonly JsonObject[]): JsonObject {
  const statuses = executions.flatMap((execution) => {
    const status = execution.get("status");
    return isList(status) ? status : [];
  });
  return new Map([...(executions.at(-1) ?? []), ["status", statuses]]);
}

function orderColumn({ variables, columns }: Table): Column | undefined {
  return columns[variables.findIndex(({ name }) => name === "order")];
}

function greatestOrder(table: Table): number {
  const column = orderColumn(table);
  return column?.kind === "number" ? column.values.reduce((most, value) => Math.max(most, value), 0) : 0;
}

function movedOrder(table: Table, by: number): Table {
  const column = orderColumn(table);
  if (column?.kind !== "number" || by === 0) return table;
  const moved = { ...column, values: column.values.map((value) => value + by) };
  return { ...table, columns: table.columns.map((each) => (each === column ? moved : each)) };
}

interface Part {
  readonly variable: Variable;
  readonly column: Column;
}

/** The rows of all tables, one below the other; cells of a variable that a table lacks are missing there. */
export function joinedTables(tables: readonly Table[]): Table {
  const [only, ...others] = tables;
  if (only !== undefined && others.length === 0) return only;
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  const names = new Set(tables.flatMap((table) => table.variables.map(({ name }) => name)));
  const joined = [...names].map((name) => joinedColumn(tables, name, length));
  return { variables: joined.map(({ variable }) => variable), columns: joined.map(({ column }) => column), length };
}

/** The table with one more content in all rows, unless they have that variable themselves. */
export function withConstant(table: Table, name: string, value: number | string): Table {
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

function joinedColumn(tables: readonly Table[], name: string, length: number): Part {
  const parts = tables.map((table): Part | undefined => {
    const at = table.variables.findIndex((variable) => variable.name === name);
    const [variable, column] = [table.variables[at], table.columns[at]];
    return variable && column ? { variable, column } : undefined;
  });
  const present = parts.filter((part) => part !== undefined);
  const lengths = tables.map((table) => table.length);
  const first = present[0]!.variable;
  if (!present.every(({ column }) => column.kind === "number"))
    return { variable: first, column: joinedCells(parts, lengths, length) };
  const isUniform = present.every(({ variable }) => variable.type === first.type);
  const variable: Variable = isUniform ? first : { ...first, type: "float" };
  const isPlain = isUniform && present.every(({ column }) => column.kind === "number" && column.integers === undefined);
  const { integers, ...column } = joinedNumbers(parts, lengths, length);
  return { variable, column: isPlain ? column : { ...column, integers } };
}

function joinedNumbers(
  parts: readonly (Part | undefined)[],
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

/** Equal cells get one place in the dictionary: rows are grouped by it. */
function joinedCells(parts: readonly (Part | undefined)[], lengths: readonly number[], length: number): InternedColumn {
  const codes = new Int32Array(length).fill(-1);
  const dictionary: Json[] = [];
  const places = new Map<string, number>();
  const placeOf = (cell: Json): number => {
    const text = new TextDecoder().decode(printJson(cell));
    const known = places.get(text) ?? dictionary.push(cell) - 1;
    places.set(text, known);
    return known;
  };
  let start = 0;
  for (const [index, part] of parts.entries()) {
    if (part) fillCodes(part, codes.subarray(start, start + lengths[index]!), placeOf);
    start += lengths[index]!;
  }
  return { kind: "interned", dictionary, codes };
}

function fillCodes({ column, variable }: Part, codes: Int32Array, placeOf: (cell: Json) => number): void {
  if (column.kind === "number") {
    for (let row = 0; row < codes.length; row++)
      if (column.missing?.[row] !== 1) codes[row] = placeOf(numberCell(column, variable.type, row));
    return;
  }
  const moved = column.dictionary.map((cell) => (cell === undefined ? -1 : placeOf(cell)));
  for (let row = 0; row < codes.length; row++) codes[row] = moved[column.codes[row] ?? -1] ?? -1;
}

function numberCell(column: NumberColumn, type: DataType, row: number): JsonNumber {
  const value = column.values[row]!;
  const isInteger = column.integers ? column.integers[row] === 1 : type === "integer";
  return isInteger && Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}
