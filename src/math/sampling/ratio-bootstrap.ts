import { median, quantileOfSorted } from "../descriptive/quantile.ts";
import { seededRandom } from "./seeded-random.ts";
import { noInterval, type Interval } from "../hypothesis-tests/sign-test.ts";

const resamples = 1000;

/** Of a group at most so many values are drawn: with more of them only what differs between groups matters. */
const mostDrawn = 1000;

/**
 * The percentile interval of median(after) / median(before) where values were measured in groups, such as within
 * processes or runs: groups are drawn first, then values of each (hierarchical bootstrap; Kalibera and Jones, "Rigorous
 * Benchmarking in Reasonable Time", 2013), so that what differs from group to group counts. No interval where a side
 * has fewer than two groups, or medians that are not positive.
 */
export function ratioInterval(
  before: readonly Float64Array[],
  after: readonly Float64Array[],
  { confidence, seed }: { readonly confidence: number; readonly seed: number },
): Interval {
  if (before.length < 2 || after.length < 2) return noInterval;
  const random = seededRandom(seed);
  const ratios = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) ratios[i] = median(drawn(after, random)) / median(drawn(before, random));
  if (!ratios.every((ratio) => ratio > 0 && Number.isFinite(ratio))) return noInterval;
  ratios.sort();
  const tail = (1 - confidence) / 2;
  return { low: quantileOfSorted(ratios, tail), high: quantileOfSorted(ratios, 1 - tail) };
}

function drawn(groups: readonly Float64Array[], random: () => number): Float64Array {
  const chosen = groups.map(() => groups[Math.floor(random() * groups.length)]!);
  const values = new Float64Array(chosen.reduce((sum, { length }) => sum + Math.min(length, mostDrawn), 0));
  let at = 0;
  for (const group of chosen)
    for (let i = 0; i < Math.min(group.length, mostDrawn); i++)
      values[at++] = group[Math.floor(random() * group.length)]!;
  return values;
}
