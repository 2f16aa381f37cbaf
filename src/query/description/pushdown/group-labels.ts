import { isPlain, type Column, constantColumn, valueAt } from "../../../core/tables/index.ts";
import { compareValues, type Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Deferred } from "./deferred.ts";
import { variableAt } from "../sources/source-plan.ts";
import { valueLabel } from "../filter-label.ts";
import type { FilterLabel, VectorColumn } from "../vector.ts";

/** A label for a value that all rows share, derived from groups. */

export interface CommonLabel {
  readonly label: Extract<Deferred["source"]["labels"][number], { readonly at: number }>;
  readonly variable: Variable;
}

/** The variables with a label for a common value; undefined: some have an unsupported type. */
export function commonVariables({ source }: Deferred): CommonLabel[] | undefined {
  const found = source.labels.flatMap((label) =>
    "at" in label ? [{ label, variable: variableAt(source, label.at) }] : [],
  );
  return found.some(({ variable }) => variable.type === "binary") ? undefined : found;
}

/** A column of a database result; of missing values if absent. */
export function plainColumn(column: Column | undefined, length: number): VectorColumn["column"] {
  if (column && isPlain(column)) return column;
  return constantColumn({ name: "", role: "result", occurrence: "multiple", type: "float" }, null, length);
}

export function countAt(column: Column | undefined, row: number): number {
  return column?.kind === "number" ? (column.values[row] ?? 0) : 0;
}

/** Labels in the order of the source; those of common values only if all rows share the value. */
export function labelsOf(
  { source, shape }: Deferred,
  common: readonly CommonLabel[],
  at: (position: number) => VectorColumn["column"],
  counts: Column | undefined,
  length: number,
): FilterLabel[] {
  const own = source.labels.flatMap((label): FilterLabel[] => {
    if (!("at" in label)) return [label];
    const position = common.findIndex((each) => each.label === label) * 3;
    const variable = variableAt(source, label.at);
    const value = commonValue([at(position), at(position + 1), at(position + 2)], counts, length, variable);
    const text = value === undefined ? "" : valueLabel(label.parameter, variable, value);
    return text === "" ? [] : [{ text, titleOnly: label.titleOnly, common: true }];
  });
  return [...own, ...shape.labels];
}

/** undefined: groups differ, or have no rows. */
function commonValue(
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
