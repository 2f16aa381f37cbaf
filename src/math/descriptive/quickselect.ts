import { ReusedArray } from "./reused-array.ts";

/** Shorter ranges are sorted by insertion. */
const few = 12;

/**
 * The value of `rank`, from `from`, in ascending order of the values from `from` to before `to`. Reorders these:
 * smaller ones before it, greater ones after it. No value is NaN. Hoare's "Find" (1961), linear on average; degenerate
 * input is sorted.
 */
export function selected(values: Float64Array, rank: number, from = 0, to = values.length): number {
  let low = from;
  let high = to - 1;
  for (let rounds = 2 * Math.log2(to - from + 1); high - low > few; rounds--) {
    if (rounds < 0) {
      values.subarray(low, high + 1).sort();
      return values[rank] as number;
    }
    const pivot = middleOfThree(values[low] as number, values[(low + high) >> 1] as number, values[high] as number);
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] as number) < pivot) left++;
      while ((values[right] as number) > pivot) right--;
      if (left > right) break;
      const value = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = value;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else return values[rank] as number;
  }
  for (let i = low + 1; i <= high; i++) {
    const value = values[i] as number;
    let at = i;
    for (; at > low && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  return values[rank] as number;
}

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

const copies = new ReusedArray();

/** A copy of the values from `from` to before `to` at the start of an array that the next call reuses. */
export function copied(values: Float64Array, from: number, to: number): Float64Array {
  const copy = copies.of(to - from);
  for (let at = from; at < to; at++) copy[at - from] = values[at] as number;
  return copy;
}

/** The median of the first `length` values; reorders these. NaN when empty or when a value is NaN. */
export function medianInPlace(values: Float64Array, length = values.length): number {
  if (length === 0) return Number.NaN;
  for (let at = 0; at < length; at++) if (Number.isNaN(values[at])) return Number.NaN;
  const rank = (length - 1) >> 1;
  const left = selected(values, rank, 0, length);
  if (length % 2 === 1) return left;
  const right = leastOf(values, rank + 1, length);
  return left === right ? left : left + (right - left) * 0.5;
}

/**
 * The p-quantile (0 <= p <= 1) of the first `length` values, at least one, none of them NaN; reorders these. Type 7 of
 * Hyndman and Fan.
 */
export function quantileInPlace(values: Float64Array, length: number, p: number): number {
  const position = (length - 1) * p;
  const below = Math.floor(position);
  const left = selected(values, below, 0, length);
  if (position === below) return left;
  const right = leastOf(values, below + 1, length);
  // Avoids multiplying an infinite difference by 0.
  return left === right ? left : left + (right - left) * (position - below);
}

function leastOf(values: Float64Array, from: number, to: number): number {
  let least = values[from] as number;
  for (let at = from + 1; at < to; at++) if ((values[at] as number) < least) least = values[at] as number;
  return least;
}

/** The median, and the values `cut` ranks from both ends; `cut` from 1 up to the middle. */
export interface MiddleRanks {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Reorders the first `length` values, at least one, none of them NaN. `cut` 0: no ranks, NaN. */
export function middleRanksInPlace(values: Float64Array, length: number, cut: number): MiddleRanks {
  const middle = medianInPlace(values, length);
  if (cut === 0) return { median: middle, low: Number.NaN, high: Number.NaN };
  const rank = (length - 1) >> 1;
  // The median's rank divides the values.
  const low = cut - 1 < rank ? selected(values, cut - 1, 0, rank) : (values[rank] as number);
  const high = length - cut > rank ? selected(values, length - cut, rank + 1, length) : (values[rank] as number);
  return { median: middle, low, high };
}
