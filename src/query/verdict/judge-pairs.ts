import type { Subject } from "../../core/measurements/series.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { moments } from "../../math/descriptive/moments.ts";
import { median } from "../../math/descriptive/quantile.ts";
import { medianInterval } from "../../math/hypothesis-tests/sign-test.ts";
import { signedRankTest } from "../../math/hypothesis-tests/signed-rank.ts";
import { studentQuantile } from "../../math/distributions/student-t.ts";
import { confidence, decided, judge, leastValues, nothingKnown, sideOf, type JudgeOptions } from "./judge.ts";

/**
 * The share of cases in which a change that is called detectable would have been seen, and what ranks take more than
 * Student's test.
 */
const power = 0.8;
const efficiency = 3 / Math.PI;

/**
 * Two sides measured in pairs, such as one after the other in each round: what drifts meets both of a pair alike, so
 * that their ratios say more than all values together. The change is the median of the ratios less 1, its interval that
 * of this median, the test Wilcoxon's signed rank test of their logarithms. As `judge` where some value is not
 * positive. `before` and `after` have the same length.
 */
export function judgePairs(
  subject: Subject,
  before: Float64Array,
  after: Float64Array,
  options: JudgeOptions,
): Verdict {
  const isPositive = [before, after].every((side) => side.every((value) => value > 0));
  if (!isPositive || before.length < leastValues) return judge(subject, [before], [after], options);
  const ratios = after.map((value, at) => value / before[at]!).sort();
  const { low, high } = medianInterval(ratios, confidence);
  const logarithms = ratios.map(Math.log);
  const known = {
    ...nothingKnown,
    subject,
    before: sideOf(before),
    after: sideOf(after),
    delta: median(ratios) - 1,
    deltaLow: Number.isNaN(low) ? null : low - 1,
    deltaHigh: Number.isNaN(high) ? null : high - 1,
    p: signedRankTest(logarithms),
    test: "signed-rank",
    detectable: detectableIn(logarithms, options),
  };
  return { ...known, ...decided(subject, known, false, options) };
}

/**
 * (t(1 - alpha/2) + t(0.8)) * s / sqrt(n * 3/pi) of the logarithms of ratios; null where even ratios all on one side
 * have a greater p.
 */
function detectableIn(logarithms: Float64Array, { alpha, minEffect }: JudgeOptions): number | null {
  const { count, variance } = moments(logarithms);
  if (2 ** (1 - count) > alpha) return null;
  const reach = studentQuantile(1 - alpha / 2, count - 1) + studentQuantile(power, count - 1);
  return Math.max(minEffect, Math.expm1(reach * Math.sqrt(variance / (count * efficiency))));
}
