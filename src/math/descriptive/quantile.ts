import { copied, medianInPlace, type MiddleRanks, middleRanksInPlace } from "./quickselect.ts";

/**
 * The p-quantile (0 <= p <= 1) by linear interpolation of order statistics: type 7 of Hyndman and Fan, "Sample
 * Quantiles in Statistical Packages" (1996), the default of R, NumPy and SQL's percentile_cont. NaN when empty or when
 * a value is NaN. Values may be unordered.
 */
export function quantile(values: Float64Array, p: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), p);
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
