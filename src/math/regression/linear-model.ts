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

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i]! * b[i]!;
  return total;
}
