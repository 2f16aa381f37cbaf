import { areEventCounts, type Subject } from "../../core/measurements/index.ts";
import type { Side, Verdict } from "../../core/verdicts/index.ts";
import { detectableChange, rankSumTest, medianInterval } from "../../math/hypothesis-tests/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { judgeRepeated, judgeSteady } from "./count-judgement.ts";
import { decide, type Decision, direction, judgeDefaults, type JudgeOptions, type Judgement } from "./decision.ts";
import { confidence, effectOf, isConstant, isNested, ratioOfMedians, type Sample } from "./effect.ts";
import { judgeWithinLevels } from "./two-levels.ts";

/** Fewest values of a side for a decision: fewer may differ by chance alone. */
export const leastValues = 4;

/** From this number of groups on each side, the test compares their medians. */
const leastGroups = 4;

/**
 * Judges a subject: significance by the Mann-Whitney test, effect size by the ratio of the medians and the interval of
 * the test; by both within each level if the values have two.
 * `same` if the interval excludes being worse by `resolution`; otherwise inconclusive, with the reason.
 */
export function judge(
  subject: Subject,
  before: Sample | null,
  after: Sample | null,
  options: JudgeOptions = judgeDefaults,
): Verdict {
  return decided(estimate(subject, before, after, options));
}

/** The verdict on a subject that is judged alone. */
export function decided({ verdict, decide: by }: Judgement): Verdict {
  return by === null ? verdict : { ...verdict, ...by(verdict.p ?? 1) };
}

/** The numbers of a subject as `judge` computes them. */
export function estimate(
  subject: Subject,
  before: Sample | null,
  after: Sample | null,
  options: JudgeOptions,
): Judgement {
  const [old, now] = [pooled(before), pooled(after)];
  const base = { subject, before: sideOf(old), after: sideOf(now), ...undecided };
  const final = (verdict: Verdict): Judgement => ({ verdict, decide: null });
  if (old === null || now === null)
    return final({ ...base, reason: `only the ${old === null ? "new" : "old"} side has values` });
  const ratio = ratioOfMedians(old, now);
  if (options.exact) return final({ ...base, delta: ratio, ...exactly(subject, old, now, ratio, options) });
  const isCounted = [old, now].every((values) => areEventCounts(subject, values));
  const repeated = isCounted ? judgeRepeated({ ...base, delta: ratio }, old, now, options) : null;
  if (repeated !== null) return repeated;
  const known = { ...base, ...effectOf(before!, after!, old, now), detectable: detectable(old, now, options) };
  const isFew = Math.min(old.length, now.length) < leastValues;
  const steady = isCounted && isFew ? judgeSteady(known, old, now, options) : null;
  if (steady !== null) return steady;
  if (isFew)
    return final({
      ...known,
      ...tested(before!, after!, old, now),
      reason: `fewer than ${leastValues} values on a side`,
    });
  if (isConstant(old) && isConstant(now)) return final({ ...known, ...constants(subject, old, now, ratio, options) });
  const nested = isNested(before!, after!);
  const withinLevels = nested ? null : judgeWithinLevels(known, old, now, options);
  if (withinLevels !== null) return withinLevels;
  const verdict = { ...known, ...tested(before!, after!, old, now) };
  return { verdict, decide: (rate) => decide(verdict, rate, nested, options) };
}

export const undecided = {
  outcome: "inconclusive",
  delta: null,
  deltaLow: null,
  deltaHigh: null,
  p: null,
  test: "none",
  q: null,
  detectable: null,
  reason: null,
  since: null,
} as const;

function pooled(sample: Sample | null): Float64Array | null {
  const values = sample === null ? [] : sample.flatMap((group) => [...group]);
  return values.length === 0 ? null : Float64Array.from(values);
}

export function sideOf(values: Float64Array | null): Side | null {
  if (values === null) return null;
  return { center: median(values), ...medianInterval(Float64Array.from(values).sort(), confidence), n: values.length };
}

function tested(before: Sample, after: Sample, old: Float64Array, now: Float64Array): Pick<Verdict, "p" | "test"> {
  if (Math.min(before.length, after.length) < leastGroups) return { p: rankSumTest(old, now), test: "mann-whitney" };
  return { p: rankSumTest(medians(before), medians(after)), test: "mann-whitney of groups" };
}

function medians(groups: Sample): Float64Array {
  return Float64Array.from(groups, median);
}

function detectable(old: Float64Array, now: Float64Array, { alpha, minEffect }: JudgeOptions): number | null {
  const least = detectableChange(old, now, median(old), alpha);
  return least === null ? null : Math.max(least, minEffect);
}

function exactly(
  subject: Subject,
  old: Float64Array,
  now: Float64Array,
  delta: number | null,
  options: JudgeOptions,
): Decision {
  if (isConstant(old) && isConstant(now)) return constants(subject, old, now, delta, options);
  return { outcome: "inconclusive", reason: "the values of one side differ, so they are not exact", test: "exact" };
}

/** Constant values need no test. */
function constants(
  subject: Subject,
  [old]: Float64Array,
  [now]: Float64Array,
  delta: number | null,
  options: JudgeOptions,
): Decision {
  const p = old === now ? 1 : 0;
  if (old === now || (delta !== null && Math.abs(delta) < options.minEffect))
    return { outcome: "same", reason: null, p, test: "exact" };
  return { outcome: direction(subject, now! - old!), reason: null, p, test: "exact" };
}
