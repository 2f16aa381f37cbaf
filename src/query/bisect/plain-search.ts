import { normalQuantile } from "../../math/normal.ts";

/**
 * How many measurements binary search takes that measures each version equally often and halves by whether its mean lies nearer to the good or to the bad
 * one, with as many repetitions as it needs to be right with `confidence`. `step`: difference of the levels, in standard deviations of one measurement.
 */
export function plainSearchCost(
  last: number,
  step: number,
  confidence: number,
): { readonly repetitions: number; readonly measurements: number } {
  const halvings = Math.ceil(Math.log2(Math.max(1, last)));
  if (halvings === 0) return { repetitions: 1, measurements: 2 };
  const quantile = normalQuantile(confidence ** (1 / halvings));
  const repetitions = Math.max(1, Math.ceil((2 * quantile * (1 / step)) ** 2));
  return { repetitions, measurements: (2 + halvings) * repetitions };
}
