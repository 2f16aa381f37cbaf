/** The n-th root of the product, by logarithms; NaN when empty or when a value is not positive. */
export function geometricMean(values: readonly number[]): number {
  if (values.length === 0 || values.some((value) => !(value > 0))) return Number.NaN;
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
