import { mean } from "../descriptive/index.ts";

/** A polynomial fitted by least squares. */
export interface PolynomialFit {
  /** Ascending: b0 + b1 x + b2 x². */
  readonly coefficients: readonly number[];
  /** Explained share of the variance of y; NaN if y is constant. */
  readonly rSquared: number;
}

/** b0 + b1 x, with centred sums for precision. If x is constant, the line is flat and explains nothing. */
export function fitLine(x: Float64Array, y: Float64Array): PolynomialFit {
  const [mx, my] = [mean(x), mean(y)];
  let [xx, xy] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    const dx = x[i]! - mx;
    xx += dx * dx;
    xy += dx * (y[i]! - my);
  }
  const total = variation(y, my);
  const slope = isRoundingError(xx, x) ? 0 : xy / xx;
  return { coefficients: [my - slope * mx, slope], rSquared: total === 0 ? Number.NaN : (slope * xy) / total };
}

/** b0 + b1 x + b2 x²; null for fewer than three distinct x. */
export function fitParabola(x: Float64Array, y: Float64Array): PolynomialFit | null {
  const [mx, my] = [mean(x), mean(y)];
  const [width, power] = [spread(x, mx), new Float64Array(x.length)];
  if (width === 0) return null;
  for (let i = 0; i < x.length; i++) power[i] = ((x[i]! - mx) / width) ** 2;
  const mp = mean(power);
  let [uu, up, pp, uy, py] = [0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const [u, p, d] = [(x[i]! - mx) / width, power[i]! - mp, y[i]! - my];
    uu += u * u;
    up += u * p;
    pp += p * p;
    uy += u * d;
    py += p * d;
  }
  const determinant = uu * pp - up * up;
  if (!(determinant > 1e-12 * uu * pp)) return null;
  const linear = (uy * pp - py * up) / determinant;
  const square = (py * uu - uy * up) / determinant;
  const total = variation(y, my);
  const b2 = square / width ** 2;
  const b1 = linear / width - 2 * b2 * mx;
  const b0 = my - square * mp - (linear / width) * mx + b2 * mx * mx;
  return { coefficients: [b0, b1, b2], rSquared: total === 0 ? Number.NaN : (linear * uy + square * py) / total };
}

/** Sum of squares around the mean; 0 if it is only rounding error. */
function variation(values: Float64Array, centre: number): number {
  let total = 0;
  for (const value of values) total += (value - centre) ** 2;
  return isRoundingError(total, values) ? 0 : total;
}

function spread(values: Float64Array, centre: number): number {
  return Math.sqrt(variation(values, centre) / values.length);
}

function isRoundingError(squares: number, values: Float64Array): boolean {
  let greatest = 0;
  for (const value of values) greatest = Math.max(greatest, Math.abs(value));
  return squares <= values.length * (1e-15 * greatest) ** 2;
}

/**
 * The least degree from 0 to `most` of a polynomial with a sum of squared residuals of at most `allowed`; `most` + 1 if
 * there is none. Uses orthogonal polynomials for precision.
 */
export function polynomialDegree(x: Float64Array, y: Float64Array, most: number, allowed: number): number {
  let rest: Float64Array = y;
  let power: Float64Array = x.map(() => 1);
  const basis: Float64Array[] = [];
  for (let degree = 0; degree <= most; degree++) {
    const own = basis.reduce(without, power);
    rest = without(rest, own);
    if (dot(rest, rest) <= allowed) return degree;
    basis.push(own);
    power = times(own, scaled(x));
  }
  return most + 1;
}

/** `values` minus their projection on `direction`. */
function without(values: Float64Array, direction: Float64Array): Float64Array {
  const length = dot(direction, direction);
  const share = length === 0 ? 0 : dot(values, direction) / length;
  return values.map((value, i) => value - share * direction[i]!);
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i]! * b[i]!;
  return total;
}

function times(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value * b[i]!);
}

/** From -1 to 1. */
function scaled(x: Float64Array): Float64Array {
  const [first, last] = [x[0] ?? 0, x.at(-1) ?? 0];
  return first === last ? x.map(() => 0) : x.map((value) => (2 * (value - first)) / (last - first) - 1);
}

/** y fitted by a linear combination of columns, by weighted least squares. */
export interface LinearFit {
  /** One for each column. */
  readonly coefficients: readonly number[];
  /** Weighted residuals, with the sum of their squares. */
  readonly residuals: Float64Array;
  readonly squares: number;
  /** Leverage of each point: leaving it out, its weighted residual is `residual / (1 - leverage)`. */
  readonly leverages: Float64Array;
  /** Inverse of XᵀWX, row by row: its products with the variance of the residuals are the covariances. */
  readonly inverse: readonly Float64Array[];
}

/** Least length of a column that is left of it, relative to its own, after the projection on those before it. */
const independent = 1e-9;

/**
 * Fits `columns` to `y` by orthogonal projections, repeated once for precision; residuals are multiplied by `weights`.
 * null if the columns depend on each other, if a number is not finite, or for fewer points than columns.
 */
export function fitLinearModel(
  columns: readonly Float64Array[],
  y: Float64Array,
  weights: Float64Array,
): LinearFit | null {
  if (y.length < columns.length) return null;
  const decomposed = orthogonal(columns.map((column) => column.map((value, i) => value * weights[i]!)));
  if (decomposed === null) return null;
  const { basis, upper } = decomposed;
  const residuals = y.map((value, i) => value * weights[i]!);
  const shares = basis.map((own) => removed(residuals, own));
  for (const [at, own] of basis.entries()) shares[at]! += removed(residuals, own);
  const inverted = invertedUpper(upper);
  const coefficients = inverted.map((row) => row.reduce((sum, value, at) => sum + value * shares[at]!, 0));
  const squares = dot(residuals, residuals);
  if (!coefficients.every(Number.isFinite) || !Number.isFinite(squares)) return null;
  const leverages = y.map((_, i) => basis.reduce((sum, own) => sum + own[i]! * own[i]!, 0));
  const inverse = inverted.map((row) => Float64Array.from(inverted, (other) => dot(row, other)));
  return { coefficients, residuals, squares, leverages, inverse };
}

/** The columns as an orthonormal basis times an upper triangle, row by row; null if one depends on others. */
function orthogonal(columns: readonly Float64Array[]): { basis: Float64Array[]; upper: Float64Array[] } | null {
  const basis: Float64Array[] = [];
  const upper = columns.map(() => new Float64Array(columns.length));
  for (const [at, column] of columns.entries()) {
    const rest = column.slice();
    const before = Math.sqrt(dot(rest, rest));
    for (let round = 0; round < 2; round++)
      for (const [row, own] of basis.entries()) upper[row]![at]! += removed(rest, own);
    const length = Math.sqrt(dot(rest, rest));
    if (!(length > independent * before) || !Number.isFinite(before)) return null;
    upper[at]![at] = length;
    basis.push(rest.map((value) => value / length));
  }
  return { basis, upper };
}

/** Subtracts the projection on a unit vector from `values`, and returns its length. */
function removed(values: Float64Array, unit: Float64Array): number {
  const share = dot(values, unit);
  for (let i = 0; i < values.length; i++) values[i]! -= share * unit[i]!;
  return share;
}

function invertedUpper(upper: readonly Float64Array[]): Float64Array[] {
  const size = upper.length;
  const inverse = upper.map(() => new Float64Array(size));
  for (let column = 0; column < size; column++)
    for (let row = column; row >= 0; row--) {
      let value = row === column ? 1 : 0;
      for (let at = row + 1; at <= column; at++) value -= upper[row]![at]! * inverse[at]![column]!;
      inverse[row]![column] = value / upper[row]![row]!;
    }
  return inverse;
}

/**
 * R²: 1 minus the squared errors of the predictions over those of the mean; NaN predictions are skipped. For constant
 * y:
 * 1 for a perfect prediction, else 0. NaN without predictions.
 */
export function determination(y: Float64Array, predicted: Float64Array): number {
  const isPredicted = (_: number, at: number): boolean => !Number.isNaN(predicted[at]!);
  const centre = mean(y.filter(isPredicted));
  let [errors, total] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    if (Number.isNaN(predicted[i]!)) continue;
    errors += (y[i]! - predicted[i]!) ** 2;
    total += (y[i]! - centre) ** 2;
  }
  if (Number.isNaN(centre)) return Number.NaN;
  return total === 0 ? (errors === 0 ? 1 : 0) : 1 - errors / total;
}

/**
 * The squared correlation of y and its predictions, both centred on the mean of the predictions (KernelReg of
 * statsmodels); 0 if one is constant.
 */
export function likeness(y: Float64Array, predicted: Float64Array): number {
  const centre = mean(predicted);
  let [common, own, fitted] = [0, 0, 0];
  for (let i = 0; i < y.length; i++) {
    const [a, b] = [y[i]! - centre, predicted[i]! - centre];
    common += a * b;
    own += a * a;
    fitted += b * b;
  }
  return own * fitted === 0 ? 0 : common ** 2 / (own * fitted);
}
