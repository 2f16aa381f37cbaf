import type { Kernel } from "./kernels.ts";

/** Points grouped by distinct x, ascending: counts and sums of y. */
export interface DistinctPoints {
  readonly x: Float64Array;
  readonly count: Float64Array;
  readonly sum: Float64Array;
  /** For each point, in ascending order of x, the index of its group and its y. */
  readonly indexOf: Uint32Array;
  readonly y: Float64Array;
}

export function distinctPoints(x: Float64Array, y: Float64Array): DistinctPoints {
  const order = Uint32Array.from({ length: x.length }, (_, i) => i).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!);
  const [xs, counts, sums]: [number[], number[], number[]] = [[], [], []];
  const indexOf = Uint32Array.from(order, (at) => {
    if (xs.at(-1) !== x[at]) {
      xs.push(x[at]!);
      counts.push(0);
      sums.push(0);
    }
    counts[xs.length - 1]! += 1;
    sums[xs.length - 1]! += y[at]!;
    return xs.length - 1;
  });
  return {
    x: Float64Array.from(xs),
    count: Float64Array.from(counts),
    sum: Float64Array.from(sums),
    indexOf,
    y: Float64Array.from(order, (at) => y[at]!),
  };
}

/** Weighted sums around an x: of 1, d, d², y and dy, where d is the distance in bandwidths. */
interface Sums {
  w: number;
  wd: number;
  wdd: number;
  wy: number;
  wdy: number;
}

/** The sums over all other points within reach of the kernel. */
function sumsAround({ x, count, sum }: DistinctPoints, at: number, bandwidth: number, { reach, weight }: Kernel): Sums {
  const sums: Sums = { w: 0, wd: 0, wdd: 0, wy: 0, wdy: 0 };
  for (const step of [-1, 1]) {
    for (let i = at + step; i >= 0 && i < x.length; i += step) {
      const d = (x[i]! - x[at]!) / bandwidth;
      if (Math.abs(d) > reach) break;
      const k = weight(d);
      sums.w += k * count[i]!;
      sums.wd += k * d * count[i]!;
      sums.wdd += k * d * d * count[i]!;
      sums.wy += k * sum[i]!;
      sums.wdy += k * d * sum[i]!;
    }
  }
  return sums;
}

/** An estimate from the surrounding points: their weighted mean, or the value of a weighted line. */
export type Estimate = (sums: Sums) => number;

/** NaN without points within reach. */
export const localConstant: Estimate = ({ w, wy }) => wy / w;

/** By the pseudoinverse: the mean if all points have the same x. */
export const localLinear: Estimate = ({ w, wd, wdd, wy, wdy }) => {
  const [half, difference] = [(w + wdd) / 2, (w - wdd) / 2];
  const radius = Math.hypot(difference, wd);
  const large = half >= 0 ? half + radius : half - radius;
  if (large === 0) return 0;
  const determinant = w * wdd - wd * wd;
  if (Math.abs(determinant) > 1e-15 * large * large) return (wdd * wy - wd * wdy) / determinant;
  const norm = (large - wdd) ** 2 + wd * wd;
  return norm === 0 ? 0 : ((large - wdd) * ((large - wdd) * wy + wd * wdy)) / (norm * large);
};

/** The estimate at each distinct x. */
export function estimates(points: DistinctPoints, bandwidth: number, kernel: Kernel, estimate: Estimate): Float64Array {
  const own = kernel.weight(0);
  return Float64Array.from(points.x, (_, at) => {
    const sums = sumsAround(points, at, bandwidth, kernel);
    return estimate({ ...sums, w: sums.w + own * points.count[at]!, wy: sums.wy + own * points.sum[at]! });
  });
}

/** The mean squared leave-one-out error; NaN if a point has no others within reach. */
export function leaveOneOutError(
  points: DistinctPoints,
  bandwidth: number,
  kernel: Kernel,
  estimate: Estimate,
): number {
  const own = kernel.weight(0);
  const around = Array.from(points.x, (_, at) => sumsAround(points, at, bandwidth, kernel));
  let errors = 0;
  for (let i = 0; i < points.y.length; i++) {
    const [at, y] = [points.indexOf[i]!, points.y[i]!];
    const sums = around[at]!;
    const others = { ...sums, w: sums.w + own * (points.count[at]! - 1), wy: sums.wy + own * (points.sum[at]! - y) };
    errors += (y - estimate(others)) ** 2;
  }
  return errors / points.y.length;
}

/**
 * The corrected Akaike criterion of Hurvich, Simonoff and Tsai, "Smoothing parameter selection in nonparametric
 * regression using an improved Akaike information criterion" (1998); as in statsmodels, the trace is that of weighted
 * means for both estimates.
 */
export function correctedAkaike(points: DistinctPoints, bandwidth: number, kernel: Kernel, estimate: Estimate): number {
  const n = points.y.length;
  const values = estimates(points, bandwidth, kernel, estimate);
  let [errors, trace] = [0, 0];
  for (let i = 0; i < n; i++) errors += (points.y[i]! - values[points.indexOf[i]!]!) ** 2;
  const own = kernel.weight(0);
  for (let at = 0; at < points.x.length; at++) {
    trace += (points.count[at]! * own) / (sumsAround(points, at, bandwidth, kernel).w + own * points.count[at]!);
  }
  return Math.log(errors / n) + (1 + trace / n) / (1 - (trace + 2) / n);
}

/** The value of a local polynomial of that degree at each distinct x; null if a system is singular. */
export function localPolynomial(
  points: DistinctPoints,
  bandwidth: number,
  { reach, weight }: Kernel,
  degree: number,
): Float64Array | null {
  const values = new Float64Array(points.x.length);
  for (let at = 0; at < values.length; at++) {
    const matrix = Array.from({ length: degree + 1 }, () => new Float64Array(degree + 2));
    for (let i = 0; i < values.length; i++) {
      const d = (points.x[i]! - points.x[at]!) / bandwidth;
      if (Math.abs(d) <= reach) addPoint(matrix, d, weight(d) * points.count[i]!, weight(d) * points.sum[i]!);
    }
    const value = firstUnknown(matrix);
    if (value === null) return null;
    values[at] = value;
  }
  return values;
}

/** Adds to the normal equations; the last column is the right-hand side. */
function addPoint(matrix: readonly Float64Array[], d: number, w: number, wy: number): void {
  const width = matrix.length;
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) matrix[row]![column]! += w * d ** (row + column);
    matrix[row]![width]! += wy * d ** row;
  }
}

/** Gaussian elimination with pivoting, from the last unknown to the first; null if the system is singular. */
function firstUnknown(matrix: Float64Array[]): number | null {
  const width = matrix.length;
  for (let column = width - 1; column >= 0; column--) {
    const rows = matrix.slice(0, column + 1);
    const best = rows.reduce(
      (most, row, at) => (Math.abs(row[column]!) > Math.abs(rows[most]![column]!) ? at : most),
      0,
    );
    [matrix[best], matrix[column]] = [matrix[column]!, matrix[best]!];
    const pivot = matrix[column]!;
    const greatest = Math.max(...pivot.subarray(0, width).map(Math.abs));
    if (!(Math.abs(pivot[column]!) > 1e-13 * greatest)) return null;
    for (const row of matrix.slice(0, column)) {
      const share = row[column]! / pivot[column]!;
      for (let k = 0; k <= width; k++) row[k]! -= share * pivot[k]!;
    }
  }
  return matrix[0]![width]! / matrix[0]![0]!;
}
