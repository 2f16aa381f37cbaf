import {
  flatColumns,
  flatRecords,
  type FlatColumn,
  numberColumn,
  textColumn,
  type Column,
  type InternedColumn,
  type NumberColumn,
  type Table,
  type TextColumn,
} from "../../core/tables/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/**
 * The rows of a run with nested values flattened (`uid`, `uid:function`, `uid:line`, …): every column holds numbers or
 * texts. Flat columns keep all digits and their units.
 */
export function flatResources({ data }: Run): Table {
  const all = data.columns.flatMap((column, at): Flattened[] => {
    const variable = data.variables[at]!;
    return column.kind === "interned" ? flattenColumn(variable, column) : [{ variable, column }];
  });
  return tableFrom(all, data.length);
}

/** The models of a run, one row each, flattened in the same way. */
export function flatModels({ models }: Run): Table {
  return tableFrom(
    flatRecords(models).map((each) => flattened(each, models.length)),
    models.length,
  );
}

/** Flattens each distinct value once, however many rows share it. */
function flattenColumn(variable: Variable, { dictionary, codes }: InternedColumn): Flattened[] {
  const length = dictionary.length;
  const once = { kind: "interned" as const, dictionary, codes: Int32Array.from({ length }, (_, at) => at) };
  return flatColumns({ variables: [variable], columns: [once], length }).map((each) => {
    const parts = flattened(each, length);
    return { variable: parts.variable, column: expand(parts.column, codes) };
  });
}

/** Maps values to rows by code; -1: missing. */
function expand(column: NumberColumn | TextColumn, codes: Int32Array): Column {
  if (column.kind === "text") return { ...column, codes: codes.map((code) => column.codes[code] ?? -1) };
  const values = Float64Array.from(codes, (code) => column.values[code] ?? 0);
  const missing = Uint8Array.from(codes, (code) => (code < 0 ? 1 : (column.missing?.[code] ?? 0)));
  return { kind: "number", values, missing: missing.includes(1) ? missing : null, exact: null };
}

interface Flattened<C extends Column = Column> {
  readonly variable: Variable;
  readonly column: C;
}

function tableFrom(all: readonly Flattened[], length: number): Table {
  return { variables: all.map(({ variable }) => variable), columns: all.map(({ column }) => column), length };
}

function flattened(each: FlatColumn, length: number): Flattened<NumberColumn | TextColumn> {
  const rows = Array.from({ length }, (_, row) => row);
  const variable = { name: each.name, role: "parameter", occurrence: "multiple" } as const;
  if (!each.numeric)
    return { variable: { ...variable, type: "text" }, column: textColumn(rows.map((row) => each.text(row) || null)) };
  const numbers = rows.map((row) => (each.text(row) === "" ? null : each.number(row)));
  const isInteger = rows.every((row) => /^(?:-?\d+)?$/.test(each.text(row)));
  return { variable: { ...variable, type: isInteger ? "integer" : "float" }, column: numberColumn(numbers) };
}
