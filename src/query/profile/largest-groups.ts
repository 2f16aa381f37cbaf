import { chosen, type Part, type Pivot } from "./pivot.ts";

/** What was left out of a pivot, or put together as `others`. */
export interface Kept {
  readonly pivot: Pivot;
  readonly left: number;
}

/**
 * The parts with the greatest sums, greatest first; the rest together as one where their numbers add up, else left out.
 */
export function greatestParts(pivot: Pivot, count: number, isAdditive: boolean): Kept {
  const sums = new Map(pivot.parts.map((part) => [part, sumOf(part.values)]));
  const parts = pivot.parts.toSorted((a, b) => sums.get(b)! - sums.get(a)!);
  if (parts.length <= count) return { pivot: { ...pivot, parts }, left: 0 };
  const rest = parts.slice(count);
  const others = isAdditive ? [together(rest)] : [];
  return { pivot: { ...pivot, parts: [...parts.slice(0, count), ...others] }, left: isAdditive ? 0 : rest.length };
}

/**
 * The places with the greatest sums: in their own order where they are numbers, else the greatest first and the rest
 * together as one where they add up.
 */
export function greatestPlaces(pivot: Pivot, count: number, isAdditive: boolean): Kept {
  const hasNumbers = !pivot.positions.some(Number.isNaN);
  const sums = Float64Array.from(pivot.places, (_, place) =>
    sumOf(Float64Array.from(pivot.parts, ({ values }) => values[place]!)),
  );
  const order = Uint32Array.from(pivot.places.keys()).sort((a, b) => sums[b]! - sums[a]! || a - b);
  const kept = order.slice(0, count);
  const rest = order.slice(count);
  if (hasNumbers) return { pivot: chosen(pivot, kept.toSorted()), left: rest.length };
  const top = chosen(pivot, kept);
  if (rest.length === 0 || !isAdditive) return { pivot: top, left: rest.length };
  const parts = top.parts.map((part, at) =>
    withLast(part, sumOf(Float64Array.from(rest, (place) => pivot.parts[at]!.values[place]!))),
  );
  return {
    pivot: {
      ...top,
      places: [...top.places, othersName(rest.length)],
      positions: Float64Array.of(...top.positions, Number.NaN),
      parts,
    },
    left: 0,
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

/** Of what is there. */
function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) if (!Number.isNaN(value)) sum += value;
  return sum;
}
