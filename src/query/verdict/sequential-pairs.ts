import { cpuTimeMetric, type Subject } from "../../core/measurements/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import { median } from "../../math/descriptive/index.ts";
import {
  sequentialMedianInterval,
  sequentialRank,
  sequentialSignTest,
  signEvidence,
} from "../../math/hypothesis-tests/index.ts";
import { decide, type Judgement, type JudgeOptions } from "./decision.ts";
import { confidence } from "./effect.ts";
import { estimate } from "./judge.ts";
import { ratiosOfPairs, verdictOfPairs } from "./pair-ratios.ts";

/**
 * Compares pairs whose number was not fixed in advance: the error rate holds although the measurement stops as soon as
 * the pairs decide. The test is the sequential sign test of the logarithms of the ratios; the interval is its
 * confidence sequence of the median ratio. Several subjects are decided by q as always: 1/p are e-values, so that the
 * Benjamini-Hochberg rate holds whatever their dependence (Wang and Ramdas 2022). Falls back to `estimate` if some
 * value is not positive, and is then inconclusive, since that test requires a fixed number.
 */
export function estimateSequential(
  subject: Subject,
  before: Float64Array,
  after: Float64Array,
  options: JudgeOptions,
): Judgement {
  const ratios = ratiosOfPairs(before, after);
  if (ratios === null) {
    const { verdict } = estimate(subject, [before], [after], options);
    const reason = "some values are not positive: fix the number of pairs with --pairs";
    const isSame = verdict.test === "exact" && verdict.outcome === "same";
    return { verdict: isSame ? verdict : { ...verdict, outcome: "inconclusive", reason }, decide: null };
  }
  const ratio = { shift: median(ratios), ...sequentialMedianInterval(ratios, confidence) };
  const verdict = verdictOfPairs(subject, [before, after], ratio, {
    p: sequentialSignTest(ratios.map(Math.log)),
    test: "sequential sign",
  });
  return { verdict, decide: (rate) => decideSequential(verdict, ratios, rate, options) };
}

function decideSequential(
  verdict: Verdict,
  ratios: Float64Array,
  rate: number,
  options: JudgeOptions,
): ReturnType<NonNullable<Judgement["decide"]>> {
  const decision = decide(verdict, rate, false, options);
  if (decision.outcome === "same") return { ...decision, reason: `within ±${percent(reach(verdict)!)}` };
  if (decision.outcome !== "inconclusive") return decision;
  const penalty = Math.max(1, rate / (verdict.p ?? 1));
  const isLarge = Math.abs(verdict.delta ?? 0) >= options.minEffect;
  const morePairs = pairsToDecide(ratios, isLarge ? options.alpha / penalty : 0, marginOf(options));
  return { ...decision, morePairs, reason: `${reachText(verdict)}; ${morePairsText(morePairs)}` };
}

/** True if further pairs need not be measured: a change is certain, or none beyond the margin and none is suspected. */
export function isSettled(verdict: Verdict, options: JudgeOptions): boolean {
  if (verdict.before === null || verdict.after === null || verdict.test !== "sequential sign")
    return verdict.test === "exact" || verdict.before === null || verdict.after === null;
  if (verdict.outcome === "worse" || verdict.outcome === "better") return true;
  const farthest = reach(verdict);
  return verdict.p === 1 && farthest !== null && farthest <= marginOf(options);
}

/**
 * The verdicts that leave a comparison open. CPU time is part of wall time: if that decides, inconclusive CPU time does
 * not matter.
 */
export function openVerdicts(verdicts: readonly Verdict[]): Verdict[] {
  const clocks = new Set(
    verdicts.flatMap(({ subject, outcome }) =>
      subject.metric === "time" && outcome !== "inconclusive" ? [subject.benchmark] : [],
    ),
  );
  return verdicts.filter(
    ({ outcome, subject }) =>
      outcome === "inconclusive" && !(subject.metric === cpuTimeMetric && clocks.has(subject.benchmark)),
  );
}

function marginOf({ resolution, minEffect }: JudgeOptions): number {
  return Math.max(resolution, minEffect);
}

/** The farthest end of the interval from no change. */
function reach({ deltaLow, deltaHigh }: Verdict): number | null {
  return deltaLow === null || deltaHigh === null ? null : Math.max(Math.abs(deltaLow), Math.abs(deltaHigh));
}

function reachText(verdict: Verdict): string {
  const farthest = reach(verdict);
  return farthest === null ? "too few pairs for an interval" : `may differ by ${percent(farthest)}`;
}

function morePairsText(count: number | null): string {
  if (count === null) return "more pairs of this kind would not settle it";
  return `about ${count} more ${count === 1 ? "pair" : "pairs"} would settle it`;
}

/** Most pairs to propose. */
const mostPairs = 2000;

/**
 * The further pairs after which pairs like those so far would decide: their share of signs would be evidence, or their
 * interval would lie within the margin. null: more than `mostPairs` in total. `ratios` are ascending; an `alpha` of 0
 * excludes evidence.
 */
export function pairsToDecide(ratios: Float64Array, alpha: number, margin: number): number | null {
  const count = ratios.length;
  if (count === 0) return null;
  const above = ratios.filter((ratio) => ratio > 1).length / count;
  const below = ratios.filter((ratio) => ratio < 1).length / count;
  const at = (rank: number, total: number): number =>
    ratios[Math.min(count - 1, Math.floor((rank / total) * count))] ?? Number.NaN;
  for (let total = count + 1; total <= mostPairs; total = Math.max(total + 1, Math.floor(total * 1.02))) {
    if (signEvidence(Math.round(above * total), Math.round(below * total)) >= 1 / alpha) return total - count;
    const rank = sequentialRank(total, confidence);
    if (rank === 0) continue;
    const [low, high] = [at(rank - 1, total), at(total - rank, total)];
    if (Math.max(Math.abs(low - 1), Math.abs(high - 1)) <= margin) return total - count;
  }
  return null;
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(share >= 0.1 ? 3 : 2)} %`;
}
