import { moments, median } from "../../math/descriptive/index.ts";
import { studentQuantile } from "../../math/distributions/index.ts";
import type { Evidence } from "./evidence.ts";
import type { Suspects } from "./next-move.ts";

/** The levels on both sides of a step, as medians of all measurements there. */
export interface Step {
  readonly before: Level;
  readonly after: Level;
  /**
   * after / before - 1, with the ends of its 95 % interval (by Student's distribution of the means); null where before
   * is 0.
   */
  readonly delta: number | null;
  readonly deltaLow: number | null;
  readonly deltaHigh: number | null;
  /** Difference of the levels in standard deviations of one measurement; infinite without scatter. */
  readonly deviations: number;
}

interface Level {
  readonly center: number;
  readonly n: number;
}

/** The step within `from`..`to`; measurements between the two belong to neither side. */
export function stepAt({ measurements }: Evidence, { from, to }: Pick<Suspects, "from" | "to">): Step {
  const before = Float64Array.from(measurements.flatMap(({ position, value }) => (position < from ? [value] : [])));
  const after = Float64Array.from(measurements.flatMap(({ position, value }) => (position >= to ? [value] : [])));
  const [low, high] = [median(before), median(after)];
  const { deviation, margin } = scatter(before, after);
  const share = (difference: number): number | null => (low === 0 ? null : difference / Math.abs(low));
  return {
    before: { center: low, n: before.length },
    after: { center: high, n: after.length },
    delta: share(high - low),
    deltaLow: share(high - low - margin),
    deltaHigh: share(high - low + margin),
    deviations: Math.abs(high - low) / deviation,
  };
}

/** Pooled standard deviation of a measurement, and half the width of the interval of the difference of the means. */
function scatter(before: Float64Array, after: Float64Array): { deviation: number; margin: number } {
  const squares = [before, after].map((side) => (side.length < 2 ? 0 : moments(side).variance * (side.length - 1)));
  const freedom = Math.max(1, before.length + after.length - 2);
  const deviation = Math.sqrt((squares[0]! + squares[1]!) / freedom);
  return {
    deviation,
    margin: studentQuantile(0.975, freedom) * deviation * Math.sqrt(1 / before.length + 1 / after.length),
  };
}
