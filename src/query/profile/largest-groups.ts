import { chosen, type Part, type Pivot } from "./pivot.ts";

/** A pivot with its smaller groups merged into `others` or omitted. */
export interface ReducedPivot {
  readonly pivot: Pivot;
  readonly omitted: number;
}

/**
 * The parts with the largest sums, in descending order; the rest is merged if the numbers are additive, else omitted.
 */
export function largestParts(pivot: Pivot, count: number, isAdditive: boolean): ReducedPivot {
  const sums = new Map(pivot.parts.map((part) => [part, sumOf(part.values)]));
  const parts = pivot.parts.toSorted((a, b) => sums.get(b)! - sums.get(a)!);
  if (parts.length <= count) return { pivot: { ...pivot, parts }, omitted: 0 };
  const rest = parts.slice(count);
  const others = isAdditive ? [together(rest)] : [];
  return { pivot: { ...pivot, parts: [...parts.slice(0, count), ...others] }, omitted: isAdditive ? 0 : rest.length };
}

/**
 * The categories with the largest sums: numeric ones in their own order; others in descending order with the rest
 * merged if the numbers are additive.
 */
export function largestCategories(pivot: Pivot, count: number, isAdditive: boolean): ReducedPivot {
  const hasNumbers = !pivot.positions.some(Number.isNaN);
  const sums = Float64Array.from(pivot.categories, (_, position) =>
    sumOf(Float64Array.from(pivot.parts, ({ values }) => values[position]!)),
  );
  const order = Uint32Array.from(pivot.categories.keys()).sort((a, b) => sums[b]! - sums[a]! || a - b);
  const kept = order.slice(0, count);
  const rest = order.slice(count);
  if (hasNumbers) return { pivot: chosen(pivot, kept.toSorted()), omitted: rest.length };
  const top = chosen(pivot, kept);
  if (rest.length === 0 || !isAdditive) return { pivot: top, omitted: rest.length };
  const parts = top.parts.map((part, at) =>
    withLast(part, sumOf(Float64Array.from(rest, (position) => pivot.parts[at]!.values[position]!))),
  );
  return {
    pivot: {
      ...top,
      categories: [...top.categories, othersName(rest.length)],
      positions: Float64Array.of(...top.positions, Number.NaN),
      parts,
    },
    omitted: 0,
  };
}

function withLast({ label, values }: Part, last: number): Part {
  const longer = new Float64Array(values.length + 1);
  longer.set(values);
  longer[values.length] = last;
  return { label, values: longer };
}

function together(parts: readonly Part[]): Part {
  const values = new Float64Array(parts[0]?.values.length ?? 0).fill(Number.NaN);
  for (const part of parts)
    part.values.forEach((value, at) => {
      if (!Number.isNaN(value)) values[at] = (Number.isNaN(values[at]!) ? 0 : values[at]!) + value;
    });
  return { label: othersName(parts.length), values };
}

function othersName(count: number): string {
  return count === 1 ? "1 other" : `${count} others`;
}

/** Sum of the present values. */
function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) if (!Number.isNaN(value)) sum += value;
  return sum;
}
