import type { Run } from "../../core/profiles/run.ts";
import { takeRows } from "../../core/tables/table-rows.ts";
import { contentsOf } from "./selected-rows.ts";
import { flatResources } from "./flat-rows.ts";

/** A column of the flat rows of a profile (`uid:function`) and a content of it, as text. */
export type RowContent = readonly [column: string, content: string];

/**
 * The run with only those rows that have one of the contents; without contents all of it. Fails with `unknown-column`.
 */
export function runWithRows(run: Run, contents: readonly RowContent[]): Run {
  if (contents.length === 0) return run;
  const flat = flatResources(run);
  const tests = contents.map(([column, content]) => {
    const at = contentsOf(flat, column);
    return (row: number): boolean => String(at(row) ?? "") === content;
  });
  const rows = Uint32Array.from({ length: flat.length }, (_, row) => row).filter((row) =>
    tests.some((test) => test(row)),
  );
  return { ...run, data: takeRows(run.data, rows) };
}
