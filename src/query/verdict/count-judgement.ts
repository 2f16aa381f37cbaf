import { isSteadyEvent, steadyCountNoise } from "../../core/measurements/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import { areEqualCounts, areRepeatedCounts } from "../../math/descriptive/index.ts";
import { levelChange, pBeyond, shiftInterval } from "../../math/hypothesis-tests/index.ts";
import { decide, direction, type JudgeOptions, type Judgement } from "./decision.ts";
import { confidence } from "./effect.ts";

/**
 * Judges counts that repeat within a side, on both sides: differences beyond the jitter of equal counts are exact,
 * whatever the number of values. Single values repeat if both sides have the same one. null: they do not repeat, or it
 * is unknown.
 */
export function judgeRepeated(
  known: Verdict,
  old: Float64Array,
  now: Float64Array,
  { minEffect }: JudgeOptions,
): Judgement | null {
  if (![old, now].every(areRepeatedCounts)) return null;
  if (Math.max(old.length, now.length) < 2 && !areEqualCounts(old[0]!, now[0]!)) return null;
  const [before, after] = [known.before!.center, known.after!.center];
  const delta = (after - before) / before;
  const isSame = areEqualCounts(before, after) || Math.abs(delta) < minEffect;
  const outcome = isSame ? "same" : direction(known.subject, delta);
  const interval = { deltaLow: delta, deltaHigh: delta };
  return { verdict: { ...known, outcome, delta, ...interval, p: isSame ? 1 : 0, test: "exact" }, decide: null };
}

/** Judges one or a few values of a steady event by the noise that such counts usually have. null: of another event. */
export function judgeSteady(
  known: Verdict,
  old: Float64Array,
  now: Float64Array,
  options: JudgeOptions,
): Judgement | null {
  if (!isSteadyEvent(known.subject.metric)) return null;
  const change = levelChange(old, now, [old], steadyCountNoise);
  const { low, high } = shiftInterval(change, confidence);
  const judged = {
    ...known,
    deltaLow: Math.expm1(low),
    deltaHigh: Math.expm1(high),
    p: pBeyond(change, 0),
    test: "assumed noise",
  };
  const assumption = `counts are assumed to vary by ${steadyCountNoise.between * 100} %; measure more runs to know it`;
  return {
    verdict: judged,
    decide: (rate) => {
      const decision = decide(judged, rate, false, options);
      return { ...decision, reason: decision.reason === null ? assumption : `${decision.reason}; ${assumption}` };
    },
  };
}
