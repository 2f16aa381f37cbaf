import { median } from "../descriptive/index.ts";
import { normalQuantile } from "../distributions/index.ts";
import { medianInterval, noInterval } from "./paired-tests.ts";
import type { Shift } from "./rank-sum.ts";

/** Maximum number of differences whose means are enumerated, and for the exact distribution. */
const [mostEnumerated, exactCount] = [500, 50];

/**
 * The centre of differences by Wilcoxon's signed-rank test: the median of the means of all pairs of differences (Hodges
 * and Lehmann 1963), and the interval of all centres that the test does not reject (Tukey; Conover, "Practical
 * Nonparametric Statistics", 5.7). Above 500 differences the median with its interval.
 */
export function signedRankShift(differences: Float64Array, confidence: number): Shift {
  const count = differences.length;
  const tail = (1 - confidence) / 2;
  if (count > mostEnumerated)
    return { shift: median(differences), ...medianInterval(Float64Array.from(differences).sort(), confidence) };
  const means = meansOfPairs(differences);
  const cut = count <= exactCount ? exactRank(count, tail) : normalRank(count, tail);
  const ends =
    cut < 1 ? noInterval : { low: means[cut - 1] ?? Number.NaN, high: means[means.length - cut] ?? Number.NaN };
  return { shift: median(means), ...ends };
}

/** The means of all pairs of values, each also with itself, ascending. */
function meansOfPairs(values: Float64Array): Float64Array {
  const means = new Float64Array((values.length * (values.length + 1)) / 2);
  let at = 0;
  for (let i = 0; i < values.length; i++)
    for (let j = i; j < values.length; j++) means[at++] = (values[i]! + values[j]!) / 2;
  return means.sort();
}

/** The least sum of positive ranks with more than `tail` of probability up to it. */
function exactRank(count: number, tail: number): number {
  const ways = new Float64Array((count * (count + 1)) / 2 + 1);
  ways[0] = 1;
  for (let rank = 1; rank <= count; rank++)
    for (let sum = ways.length - 1; sum >= rank; sum--) ways[sum]! += ways[sum - rank]!;
  let reached = 0;
  return ways.findIndex((each) => (reached += each / 2 ** count) > tail);
}

function normalRank(count: number, tail: number): number {
  const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
  return Math.floor((count * (count + 1)) / 4 - normalQuantile(1 - tail) * deviation);
}
