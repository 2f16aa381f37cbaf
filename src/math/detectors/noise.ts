/** The residuals of a series without its levels. */
export interface Noise {
  /** Means of the levels, one more than changes. */
  readonly means: Float64Array;
  readonly variance: number;
  /** Degrees of freedom of the variance. */
  readonly freedom: number;
  /**
   * First autocorrelation within levels, from 0 to 0.95, corrected for the bias of estimated means (Marriott and Pope
   * 1954).
   */
  readonly correlation: number;
  readonly skewness: number;
  /** Excess kurtosis; at least 0. */
  readonly excess: number;
}

/** The noise of `values` around levels that change at `positions`. */
export function noiseAbout(values: Float64Array, positions: readonly number[]): Noise {
  const ends = [...positions, values.length];
  const means = new Float64Array(ends.length);
  let two = 0;
  let three = 0;
  let four = 0;
  let products = 0;
  for (let level = 0, from = 0; level < ends.length; from = ends[level++] as number) {
    const to = ends[level] as number;
    const mean = meanOf(values, from, to);
    means[level] = mean;
    for (let i = from, last = 0; i < to; i++) {
      const rest = (values[i] as number) - mean;
      const square = rest * rest;
      products += rest * last;
      two += square;
      three += square * rest;
      four += square * square;
      last = rest;
    }
  }
  const n = values.length;
  const own = two / n;
  const freedom = Math.max(1, n - ends.length);
  // Otherwise the powers overflow or underflow.
  const hasShape = own ** 2 > 0 && own ** 2 < Infinity;
  return {
    means,
    variance: two / freedom,
    freedom,
    correlation: own > 0 ? corrected(products / Math.max(1, n - ends.length) / own, ends.length / n) : 0,
    skewness: hasShape ? three / n / own ** 1.5 : 0,
    excess: hasShape ? Math.max(0, four / n / own ** 2 - 3) : 0,
  };
}

function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i] as number;
  return sum / (to - from);
}

/** `share`: levels per value. */
function corrected(found: number, share: number): number {
  return Math.max(0, Math.min(0.95, found + (1 + 3 * found) * share));
}

/** The variance of the mean of `count` values of an autoregressive process of order one. */
export function varianceOfMean({ variance, correlation: r }: Noise, count: number): number {
  const growth = (1 + r) / (1 - r) - (2 * r * (1 - r ** count)) / (count * (1 - r) ** 2);
  return (variance * growth) / count;
}
