import type { Table } from "../../core/tables/table.ts";
import { valueAt } from "../../core/tables/table.ts";
import { formatValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";

/** Points of a plot by place and part: a row of numbers for each part, a number of it for each place. */
export interface Pivot {
  /** What the places are contents of, and what the numbers are. */
  readonly per: Variable;
  readonly value: Variable;
  /** The contents of `per`, in order. */
  readonly places: readonly string[];
  /** The same as numbers; NaN where a place is none. */
  readonly positions: Float64Array;
  readonly parts: readonly Part[];
}

export interface Part {
  /** The content of `by`; "" without one. */
  readonly label: string;
  /** By place; NaN where there is nothing. */
  readonly values: Float64Array;
}

/** What `plotPoints` made (`by` if asked for, `per`, the statistic), by its two columns. */
export function pivotOf(points: Table, hasBy: boolean): Pivot {
  const at = hasBy ? 1 : 0;
  const [per, value] = [points.variables[at]!, points.variables[at + 1]!];
  const places = contentsInOrder(points, at);
  const labels = hasBy ? contentsInOrder(points, 0) : new Map([["", 0]]);
  const values = Array.from({ length: labels.size }, () => new Float64Array(places.size).fill(Number.NaN));
  const positions = new Float64Array(places.size).fill(Number.NaN);
  for (let row = 0; row < points.length; row++) {
    const place = places.get(textAt(points, at, row)) ?? 0;
    const part = hasBy ? (labels.get(textAt(points, 0, row)) ?? 0) : 0;
    values[part]![place] = numberOf(contentAt(points, at + 1, row));
    positions[place] = numberOf(contentAt(points, at, row));
  }
  return {
    per,
    value,
    ...sorted(
      [...places.keys()],
      positions,
      [...labels.keys()].map((label, i) => ({ label, values: values[i]! })),
    ),
  };
}

/** Points are sorted by part first: places that only a later part has come last, so numbers are sorted again. */
function sorted(
  places: readonly string[],
  positions: Float64Array,
  parts: readonly Part[],
): Pick<Pivot, "places" | "positions" | "parts"> {
  if (positions.some(Number.isNaN)) return { places, positions, parts };
  const order = Uint32Array.from(places.keys()).sort((a, b) => positions[a]! - positions[b]!);
  return chosen({ places, positions, parts }, order);
}

/** Those places alone, in that order. */
export function chosen<P extends Pick<Pivot, "places" | "positions" | "parts">>(pivot: P, order: Uint32Array): P {
  const pick = (values: Float64Array): Float64Array => Float64Array.from(order, (at) => values[at]!);
  return {
    ...pivot,
    places: Array.from(order, (at) => pivot.places[at]!),
    positions: pick(pivot.positions),
    parts: pivot.parts.map(({ label, values }) => ({ label, values: pick(values) })),
  };
}

function contentsInOrder(table: Table, at: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let row = 0; row < table.length; row++) {
    const text = textAt(table, at, row);
    if (!found.has(text)) found.set(text, found.size);
  }
  return found;
}

function contentAt({ columns, variables }: Table, at: number, row: number): Value {
  const column = columns[at]!;
  return column.kind === "interned" ? null : valueAt(column, row, variables[at]!.type);
}

function textAt(table: Table, at: number, row: number): string {
  const content = contentAt(table, at, row);
  return content === null ? "" : formatValue(content, table.variables[at]!.type);
}

/** Texts are no numbers, whatever their digits. */
function numberOf(content: Value): number {
  return typeof content === "number" || typeof content === "bigint" ? Number(content) : Number.NaN;
}
