import type { Run } from "../../core/profiles/index.ts";
import { takeRows } from "../../core/tables/index.ts";
import { valuesOf } from "./selected-rows.ts";
import { flatResources } from "./flat-rows.ts";

/** A column of the flat rows of a profile (`uid:function`) and one of its values, as text. */
export type ColumnValue = readonly [column: string, value: string];

/** The run with only the rows that have one of the values; all rows without values. Fails with `unknown-column`. */
export function runWithRows(run: Run, values: readonly ColumnValue[]): Run {
  if (values.length === 0) return run;
  const flat = flatResources(run);
  const tests = values.map(([column, value]) => {
    const at = valuesOf(flat, column);
    return (row: number): boolean => String(at(row) ?? "") === value;
  });
  const rows = Uint32Array.from({ length: flat.length }, (_, row) => row).filter((row) =>
    tests.some((test) => test(row)),
  );
  return { ...run, data: takeRows(run.data, rows) };
}
