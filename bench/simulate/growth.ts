/** One cost: at the base size, and at each of several sizes. */
export interface Costs {
  readonly base: number;
  readonly costs: readonly number[];
}

/** Predicted growth exponent, and how much steeper the fit may be. */
export interface Prediction {
  readonly exponent: number;
  readonly tolerance: number;
}

export interface Growth {
  /** The slope of log(cost above the base) over log(size); 0 for a constant cost. */
  readonly fitted: number;
  /** The marginal cost per unit of size, from the two largest sizes. */
  readonly each: number;
  readonly isFine: boolean;
}

/** Fits the growth of a cost. Differences below `noise` count as constant. */
export function growth(
  sizes: readonly number[],
  { base, costs }: Costs,
  noise: number,
  { exponent, tolerance }: Prediction,
): Growth {
  const most = Math.max(...costs) - base;
  const above = costs.map((cost) => Math.max(cost - base, noise / 2));
  const fitted = most <= noise ? 0 : slope(sizes.map(Math.log), above.map(Math.log));
  const [before = 0, last = 0] = costs.slice(-2);
  const [smaller = 0, largest = 1] = sizes.slice(-2);
  return {
    fitted,
    each: most <= noise ? 0 : (last - before) / (largest - smaller),
    isFine: fitted <= exponent + tolerance,
  };
}

/** Slope of the least-squares line. */
function slope(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, value, at) => sum + (value - mx) * ((y[at] ?? my) - my), 0);
  return covariance / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
