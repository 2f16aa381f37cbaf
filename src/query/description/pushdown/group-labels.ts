import type { Column } from "../../../core/tables/table.ts";
import { constantColumn } from "../../../core/tables/table-builder.ts";
import { valueAt } from "../../../core/tables/table.ts";
import { compareValues, type Value } from "../../../core/values/value.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import type { Deferred } from "./deferred.ts";
import { valueLabel } from "../filter-label.ts";
import { isPlain, type FilterLabel, type VectorColumn } from "../vector.ts";

/* What all rows share, told by the groups that a database has made of them. */

export interface CommonLabel {
  readonly label: Extract<Deferred["source"]["labels"][number], { readonly at: number }>;
  readonly variable: Variable;
}

/** The variables whose common content is a label; undefined: some have no order that databases know. */
export function commonVariables({ source, rows }: Deferred): CommonLabel[] | undefined {
  const found = source.labels.flatMap((label) =>
    "at" in label ? [{ label, variable: rows.variables[label.at] as Variable }] : [],
  );
  return found.some(({ variable }) => variable.type === "binary") ? undefined : found;
}

/** A column of the answer of a database; of missing contents where there is none. */
export function plainColumn(column: Column | undefined, length: number): VectorColumn["column"] {
  if (column && isPlain(column)) return column;
  return constantColumn({ name: "", role: "result", occurrence: "multiple", type: "float" }, null, length);
}

export function countAt(column: Column | undefined, row: number): number {
  return column?.kind === "number" ? (column.values[row] ?? 0) : 0;
}

/** Labels in the order of the source; of a common content only where all rows have the same. */
export function labelsOf(
  { source, rows, shape }: Deferred,
  common: readonly CommonLabel[],
  at: (position: number) => VectorColumn["column"],
  counts: Column | undefined,
  length: number,
): FilterLabel[] {
  const own = source.labels.flatMap((label): FilterLabel[] => {
    if (!("at" in label)) return [label];
    const position = common.findIndex((each) => each.label === label) * 3;
    const variable = rows.variables[label.at] as Variable;
    const value = commonContent([at(position), at(position + 1), at(position + 2)], counts, length, variable);
    const text = value === undefined ? "" : valueLabel(label.parameter, variable, value);
    return text === "" ? [] : [{ text, titleOnly: label.titleOnly, common: true }];
  });
  return [...own, ...shape.labels];
}

/** undefined: groups differ, or have no rows. */
function commonContent(
  [least, greatest, present]: readonly [VectorColumn["column"], VectorColumn["column"], VectorColumn["column"]],
  counts: Column | undefined,
  length: number,
  { type }: Variable,
): Value | undefined {
  let found: Value | undefined;
  for (let row = 0; row < length; row++) {
    const [count, there] = [countAt(counts, row), countAt(present, row)];
    if (count === 0) continue;
    const [low, high] = [valueAt(least, row, type), valueAt(greatest, row, type)];
    if ((there !== 0 && there !== count) || compareValues(low, high, type) !== 0) return undefined;
    if (found !== undefined && compareValues(found, low, type) !== 0) return undefined;
    found = low;
  }
  return found;
}
