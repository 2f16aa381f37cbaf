/** Count, mean and spread of a sample. */
interface Moments {
  readonly count: number;
  /** NaN for an empty sample. */
  readonly mean: number;
  /** Sample variance (divisor n - 1); NaN for fewer than two values. */
  readonly variance: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** Welford's algorithm: one pass, no cancellation. A NaN value makes all results but `count` NaN. */
export function moments(values: Float64Array): Moments {
  let mean = 0;
  let squares = 0;
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    const delta = value - mean;
    mean += delta / (i + 1);
    squares += delta * (value - mean);
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
  }
  const count = values.length;
  if (count === 0) return { count, mean: Number.NaN, variance: Number.NaN, minimum: Number.NaN, maximum: Number.NaN };
  return { count, mean, variance: count < 2 ? Number.NaN : squares / (count - 1), minimum, maximum };
}

export function standardDeviation(values: Float64Array): number {
  return Math.sqrt(moments(values).variance);
}

/** The arithmetic mean; NaN when empty. */
export function mean(values: Float64Array): number {
  return sum(values) / values.length;
}

/** Neumaier's compensated sum; 0 when empty. */
export function sum(values: Float64Array): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  // The correction of an infinite sum is NaN.
  return Number.isFinite(lost) ? total + lost : total;
}

/** The n-th root of the product, by logarithms; NaN when empty or when a value is not positive. */
export function geometricMean(values: ArrayLike<number>): number {
  const logarithms = Float64Array.from(values, (value) => (value > 0 ? Math.log(value) : Number.NaN));
  return logarithms.length === 0 ? Number.NaN : Math.exp(mean(logarithms));
}
