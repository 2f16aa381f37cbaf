import type { Subject } from "../../core/measurements/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import type { Shift } from "../../math/hypothesis-tests/index.ts";
import { sideOf, undecided } from "./judge.ts";

/** The ratios of pairs, ascending; null if some value is not positive. */
export function ratiosOfPairs(before: Float64Array, after: Float64Array): Float64Array | null {
  const isPositive = [before, after].every((side) => side.every((value) => value > 0));
  return isPositive ? after.map((value, at) => value / before[at]!).sort() : null;
}

/** The verdict on pairs before it is decided, by the ratio of their sides. */
export function verdictOfPairs(
  subject: Subject,
  [before, after]: readonly [Float64Array, Float64Array],
  { shift: ratio, low, high }: Shift,
  test: Pick<Verdict, "p" | "test">,
): Verdict {
  return {
    ...undecided,
    subject,
    before: sideOf(before),
    after: sideOf(after),
    delta: ratio - 1,
    deltaLow: Number.isNaN(low) ? null : low - 1,
    deltaHigh: Number.isNaN(high) ? null : high - 1,
    ...test,
  };
}
