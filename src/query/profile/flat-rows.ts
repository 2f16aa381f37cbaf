import { flatColumns, flatRecords, type FlatColumn } from "../../core/flat-table.ts";
import type { Run } from "../../core/run.ts";
import { numberColumn, textColumn } from "../../core/table-builder.ts";
import type { Column, Table } from "../../core/table.ts";
import type { Variable } from "../../core/variable.ts";

/**
 * The rows of a run with nested contents taken apart (`uid`, `uid:function`, `uid:line`, …): every column holds numbers or texts. Columns that are flat already
 * keep all their digits and their units.
 */
export function flatResources({ data }: Run): Table {
  const all = data.columns.flatMap((column, at): Flattened[] => {
    const variable = data.variables[at]!;
    if (column.kind !== "interned") return [{ variable, column }];
    const nested = flatColumns({ variables: [variable], columns: [column], length: data.length });
    return nested.map((each) => flattened(each, data.length));
  });
  return tableFrom(all, data.length);
}

/** The models of a run, a row each, taken apart in the same way. */
export function flatModels({ models }: Run): Table {
  return tableFrom(
    flatRecords(models).map((each) => flattened(each, models.length)),
    models.length,
  );
}

interface Flattened {
  readonly variable: Variable;
  readonly column: Column;
}

function tableFrom(all: readonly Flattened[], length: number): Table {
  return { variables: all.map(({ variable }) => variable), columns: all.map(({ column }) => column), length };
}

function flattened(each: FlatColumn, length: number): Flattened {
  const rows = Array.from({ length }, (_, row) => row);
  const variable = { name: each.name, role: "parameter", occurrence: "multiple" } as const;
  if (!each.numeric) return { variable: { ...variable, type: "text" }, column: textColumn(rows.map((row) => each.text(row) || null)) };
  const numbers = rows.map((row) => (each.text(row) === "" ? null : each.number(row)));
  const isInteger = rows.every((row) => /^(?:-?\d+)?$/.test(each.text(row)));
  return { variable: { ...variable, type: isInteger ? "integer" : "float" }, column: numberColumn(numbers) };
}
