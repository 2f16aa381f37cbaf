import { areEqualCounts, areRepeatedCounts } from "../../../math/descriptive/index.ts";

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
