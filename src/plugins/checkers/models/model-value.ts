import type { Model } from "../../../core/profiles/index.ts";
import { evaluate } from "../../../math/regression/index.ts";

/** The value of a model at x; sampled models are interpolated linearly. */
export function valueAt(model: Model, x: number): number {
  if (model.kind === "formula") return evaluate(model, x, false);
  const { values, start, end } = model;
  const position = start === end ? 0 : ((x - start) / (end - start)) * (values.length - 1);
  const at = Math.min(values.length - 1, Math.max(0, Math.floor(position)));
  const [left, right] = [values[at] ?? Number.NaN, values[Math.min(values.length - 1, at + 1)] ?? Number.NaN];
  return position === at ? left : left + (right - left) * (position - at);
}
