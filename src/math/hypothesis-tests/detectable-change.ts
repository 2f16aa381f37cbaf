import { moments } from "../descriptive/moments.ts";
import { studentQuantile } from "../distributions/student-t.ts";

/** The share of cases in which a change of that size would have been seen. */
const power = 0.8;

/** What the rank sum test takes more than Student's of normal values: its asymptotic relative efficiency is 3 / pi. */
const efficiency = 3 / Math.PI;

/**
 * The least change, as a share of the level, that the rank sum test at `alpha` would have seen in four of five cases,
 * upwards: (t(1 - alpha/2) + t(0.8)) * s * sqrt((1/m + 1/n) / (3/pi)), s the pooled standard deviation of the
 * logarithms (of values over the median of `before`, where some are not positive), t Student's quantiles with m + n - 2
 * degrees of freedom. null where no change would be seen, since even samples wholly apart have a p above `alpha`, or
 * where `before` has no level.
 */
export function detectableChange(
  before: Float64Array,
  after: Float64Array,
  level: number,
  alpha: number,
): number | null {
  const [m, n] = [before.length, after.length];
  if (m < 1 || n < 1 || leastP(m, n) > alpha || level === 0) return null;
  const isPositive = before.every((value) => value > 0) && after.every((value) => value > 0);
  const [left, right] = [before, after].map((side) =>
    moments(side.map((value) => (isPositive ? Math.log(value) : value / Math.abs(level)))),
  );
  const freedom = m + n - 2;
  const pooled = Math.sqrt((squares(left!) + squares(right!)) / freedom);
  const reach =
    (studentQuantile(1 - alpha / 2, freedom) + studentQuantile(power, freedom)) *
    pooled *
    Math.sqrt((1 / m + 1 / n) / efficiency);
  return isPositive ? Math.expm1(reach) : reach;
}

/** The p of two samples wholly apart. */
export function leastP(m: number, n: number): number {
  let ways = 1;
  for (let i = 1; i <= Math.min(m, n); i++) ways = (ways * (Math.max(m, n) + i)) / i;
  return Math.min(1, 2 / ways);
}

function squares({ count, variance }: { readonly count: number; readonly variance: number }): number {
  return count < 2 ? 0 : variance * (count - 1);
}
