import { type Table, valueAt } from "../../core/tables/index.ts";
import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** Points of a plot by category and part: a row of numbers per part, a number per category. */
export interface Pivot {
  /** The variable of the categories, and the variable of the numbers. */
  readonly per: Variable;
  readonly value: Variable;
  /** The values of `per`, in order. */
  readonly categories: readonly string[];
  /** The categories as numbers; NaN for texts. */
  readonly positions: Float64Array;
  readonly parts: readonly Part[];
}

export interface Part {
  /** The value of `by`; "" without one. */
  readonly label: string;
  /** By category; NaN where missing. */
  readonly values: Float64Array;
}

/** Pivots the output of `plotPoints`: `by` (optional), `per`, the statistic. */
export function pivotOf(points: Table, hasBy: boolean): Pivot {
  const at = hasBy ? 1 : 0;
  const [per, value] = [points.variables[at]!, points.variables[at + 1]!];
  const categories = valuesInOrder(points, at);
  const labels = hasBy ? valuesInOrder(points, 0) : new Map([["", 0]]);
  const values = Array.from({ length: labels.size }, () => new Float64Array(categories.size).fill(Number.NaN));
  const positions = new Float64Array(categories.size).fill(Number.NaN);
  for (let row = 0; row < points.length; row++) {
    const position = categories.get(textAt(points, at, row)) ?? 0;
    const part = hasBy ? (labels.get(textAt(points, 0, row)) ?? 0) : 0;
    values[part]![position] = numberOf(valueOfCell(points, at + 1, row));
    positions[position] = numberOf(valueOfCell(points, at, row));
  }
  return {
    per,
    value,
    ...sorted(
      [...categories.keys()],
      positions,
      [...labels.keys()].map((label, i) => ({ label, values: values[i]! })),
    ),
  };
}

/** Sorts numeric categories: points are sorted by part, so categories of later parts come last. */
function sorted(
  categories: readonly string[],
  positions: Float64Array,
  parts: readonly Part[],
): Pick<Pivot, "categories" | "positions" | "parts"> {
  if (positions.some(Number.isNaN)) return { categories, positions, parts };
  const order = Uint32Array.from(categories.keys()).sort((a, b) => positions[a]! - positions[b]!);
  return chosen({ categories, positions, parts }, order);
}

/** Selects categories in the given order. */
export function chosen<P extends Pick<Pivot, "categories" | "positions" | "parts">>(pivot: P, order: Uint32Array): P {
  const pick = (values: Float64Array): Float64Array => Float64Array.from(order, (at) => values[at]!);
  return {
    ...pivot,
    categories: Array.from(order, (at) => pivot.categories[at]!),
    positions: pick(pivot.positions),
    parts: pivot.parts.map(({ label, values }) => ({ label, values: pick(values) })),
  };
}

function valuesInOrder(table: Table, at: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let row = 0; row < table.length; row++) {
    const text = textAt(table, at, row);
    if (!found.has(text)) found.set(text, found.size);
  }
  return found;
}

function valueOfCell({ columns, variables }: Table, at: number, row: number): Value {
  const column = columns[at]!;
  return column.kind === "interned" ? null : valueAt(column, row, variables[at]!.type);
}

function textAt(table: Table, at: number, row: number): string {
  const value = valueOfCell(table, at, row);
  return value === null ? "" : formatValue(value, table.variables[at]!.type);
}

/** NaN for texts, even those of digits. */
function numberOf(value: Value): number {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : Number.NaN;
}
