import { mean } from "../descriptive/index.ts";

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
