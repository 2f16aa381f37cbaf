import { isSteadyEvent, steadyCountNoise } from "../../../core/measurements/index.ts";
import type { RowKind } from "../../../core/profiles/index.ts";
import { mean, median } from "../../../math/descriptive/index.ts";
import type { AssumedNoise } from "../../../math/hypothesis-tests/index.ts";

/** Greatest deviation of repeated counts, on the log scale, whose noise between profiles is that within them. */
const steadyDeviation = 0.01;

/**
 * The noise of counts of a steady event that some profile repeats: that of the repetitions, at least 0.2 % between
 * profiles. Levels of history are no evidence of it, as most commits may have changed them. null: not steady.
 */
export function steadyNoise(kind: RowKind, profiles: readonly Float64Array[]): AssumedNoise | null {
  if (!isSteady(kind)) return null;
  let [squares, freedom] = [0, 0];
  for (const values of profiles.map((each) => each.map(Math.log))) {
    const middle = mean(values);
    for (const value of values) squares += (value - middle) ** 2;
    freedom += values.length - 1;
  }
  const deviation = Math.sqrt(squares / freedom);
  if (freedom === 0 || deviation > steadyDeviation) return null;
  const between = Math.max(0.002, 2 * deviation);
  return { between, single: between };
}

function isSteady({ facts }: RowKind): boolean {
  return ["event", "subtype", "type"].some((name) => isSteadyEvent(facts.get(name) ?? ""));
}

/**
 * The noise of two profiles without history: 2.5 % between measurements and 5 % of a single run; counts that hardly
 * differ within a profile differ little between profiles; small counts vary as those of random events.
 */
export function assumedNoise(kind: RowKind, isCount: boolean, sides: readonly Float64Array[]): AssumedNoise {
  const [between, single] = [0.025, 0.05];
  if (!isCount) return { between, single };
  const steady = isSteady(kind);
  const random = 1 / Math.sqrt(Math.min(...sides.map(median)));
  if (sides.some((values) => values.length === 1))
    return steady ? steadyCountNoise : { between, single: Math.max(single, Math.min(1, random)) };
  const spread = Math.max(...sides.map((values) => (Math.max(...values) - Math.min(...values)) / median(values)));
  return { between: Math.min(between, Math.max(steady ? 0.002 : 0.005, 5 * spread)), single };
}
