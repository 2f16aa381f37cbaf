import { isSteadyEvent, steadyCountNoise } from "../../../core/measurements/index.ts";
import type { RowKind } from "../../../core/profiles/index.ts";
import { median } from "../../../math/descriptive/index.ts";
import { type AssumedNoise, withinVariance } from "../../../math/hypothesis-tests/index.ts";

/** Greatest deviation of repeated counts, on the log scale, whose noise between profiles is that within them. */
const steadyDeviation = 0.03;

/**
 * The noise of counts of a steady event that some profile repeats: between profiles that of the repetitions, at least
 * 0.2 %, and more if they are few. null: not steady.
 */
export function steadyNoise(kind: RowKind, profiles: readonly Float64Array[]): AssumedNoise | null {
  const freedom = profiles.reduce((sum, values) => sum + values.length - 1, 0);
  if (freedom === 0 || !isSteady(kind)) return null;
  const deviation = Math.sqrt(withinVariance(profiles.map((values) => values.map(Math.log))));
  if (deviation > steadyDeviation) return null;
  const between = Math.max(0.002, deviation * (1 + 2 / freedom));
  return { between, single: between, isFixed: true };
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
