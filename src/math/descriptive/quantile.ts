import { copied, medianInPlace, type MiddleRanks, middleRanksInPlace, quantileInPlace } from "./quickselect.ts";

/**
 * The p-quantile (0 <= p <= 1) by linear interpolation of order statistics: type 7 of Hyndman and Fan, "Sample
 * Quantiles in Statistical Packages" (1996), the default of R, NumPy and SQL's percentile_cont. NaN when empty or when
 * a value is NaN. Values may be unordered.
 */
export function quantile(values: Float64Array, p: number): number {
  if (values.length === 0 || values.some(Number.isNaN)) return Number.NaN;
  return quantileInPlace(copied(values, 0, values.length), values.length, p);
}

/** Like `quantile`, for values already in ascending order. */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  // NaN sorts last.
  const greatest = sorted.at(-1);
  if (greatest === undefined || Number.isNaN(greatest)) return Number.NaN;
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const left = sorted[below] ?? Number.NaN;
  const right = sorted[below + 1] ?? left;
  // Avoids multiplying an infinite difference by 0.
  return position === below || left === right ? left : left + (right - left) * (position - below);
}

/** The quartiles of at least one value, none of them NaN. */
export function quartiles(values: Float64Array): {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
} {
  const { length } = values;
  const copy = copied(values, 0, length);
  const [middle, low, high] = [0.5, 0.25, 0.75].map((p) => quantileInPlace(copy, length, p)) as [
    number,
    number,
    number,
  ];
  return { low, middle, high };
}

export function median(values: Float64Array): number {
  return medianBetween(values, 0, values.length);
}

/** The median of the values from `from` to before `to`. */
export function medianBetween(values: Float64Array, from: number, to: number): number {
  return medianInPlace(copied(values, from, to), to - from);
}

/** The median of the values from `from` to before `to`, at least one, and those `cut` ranks from both ends, if any. */
export function middleRanks(values: Float64Array, from: number, to: number, cut: number): MiddleRanks {
  return middleRanksInPlace(copied(values, from, to), to - from, cut);
}
