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
