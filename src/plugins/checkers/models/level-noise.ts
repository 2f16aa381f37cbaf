import { isSteadyEvent, steadyCountNoise } from "../../../core/measurements/index.ts";
import type { RowKind } from "../../../core/profiles/index.ts";
import { areEqualCounts, areRepeatedCounts, median } from "../../../math/descriptive/index.ts";
import { type AssumedNoise, withinVariance } from "../../../math/hypothesis-tests/index.ts";

/** Maximum share by which levels of noisy counts differ from profile to profile. */
const jitter = 0.01;

/**
 * Whether counts repeat, up to the jitter of equal counts: no profile has two different values, or two profiles have
 * the same ones; and some profile repeats its value, or two profiles agree. Three or more small differences in a row
 * are noise. `profiles`: the target, the baseline, earlier ones.
 */
export function repeatsExactly(profiles: readonly Float64Array[]): boolean {
  const all = profiles.map((values) => values.toSorted());
  if (!all.every((values) => values.every((value) => Number.isSafeInteger(value)))) return false;
  const pairs = all.slice(1).map((values, at) => [all[at]!, values] as const);
  const agreeing = pairs.filter(([a, b]) => isEqual(a, b)).length;
  if (!all.every(areRepeatedCounts)) return agreeing > 0;
  if (agreeing > 0) return true;
  const isNoise = pairs.length > 3 && pairs.slice(1).every(([a, b]) => Math.abs(a[0]! - b[0]!) <= jitter * b[0]!);
  return !isNoise && all.some((values) => values.length > 1);
}

function isEqual(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, at) => areEqualCounts(value, b[at]!));
}

/** The step of values that were rounded: the greatest power of ten that divides all; 0 if none of them is repeated. */
export function resolutionOf(profiles: readonly Float64Array[]): number {
  if (!profiles.some((values) => new Set(values).size < values.length)) return 0;
  for (let exponent = 9; exponent >= -12; exponent--) {
    const step = 10 ** exponent;
    if (profiles.every((values) => values.every((value) => isMultiple(value, step)))) return step;
  }
  return 0;
}

function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  const whole = Math.round(times);
  if (whole === 0) return value === 0;
  return Math.abs(times - whole) <= 1e-9 * Math.abs(times);
}

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
