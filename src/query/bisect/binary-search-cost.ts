import { normalTail } from "../../math/distributions/normal.ts";

/** Deviations of the middle that are summed over, in standard errors, and their distance. */
const middles = { end: 6, distance: 0.05 };

/** More repetitions of each version than these are not counted any more. */
const mostRepetitions = 2 ** 14;

/**
 * How many measurements binary search takes that measures each version equally often and halves by whether its mean
 * lies nearer to the good or to the bad one, with as many repetitions as it needs to be right with `confidence` where
 * noise is normal. `step`: difference of the levels, in standard deviations of one measurement; positive. It is told
 * step and noise, which it would have to measure, too.
 */
export function plainSearchCost(
  last: number,
  step: number,
  confidence: number,
): { readonly repetitions: number; readonly measurements: number } {
  const halvings = Math.ceil(Math.log2(Math.max(1, last)));
  if (halvings === 0) return { repetitions: 1, measurements: 2 };
  let [enough, tooFew] = [1, 0];
  while (enough < mostRepetitions && chanceOf(halvings, step, enough) < confidence)
    [enough, tooFew] = [2 * enough, enough];
  while (enough - tooFew > 1) {
    const middle = (enough + tooFew) >> 1;
    if (chanceOf(halvings, step, middle) < confidence) tooFew = middle;
    else enough = middle;
  }
  return { repetitions: enough, measurements: (2 + halvings) * enough };
}

/**
 * How probable it is that all halvings go the right way. The middle between the ends is measured, too, and errs with
 * half the variance of a mean: where it lies near one level, every version of that level is in danger.
 */
function chanceOf(halvings: number, step: number, repetitions: number): number {
  const half = (step / 2) * Math.sqrt(repetitions);
  let [sum, weights] = [0, 0];
  for (let middle = -middles.end; middle <= middles.end; middle += middles.distance) {
    const weight = Math.exp((-middle * middle) / 2);
    const error = middle / Math.SQRT2;
    const wrong = (normalTail(half + error) + normalTail(half - error)) / 2;
    sum += weight * (1 - wrong) ** halvings;
    weights += weight;
  }
  return sum / weights;
}
