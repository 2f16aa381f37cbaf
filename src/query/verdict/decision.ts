import type { Subject } from "../../core/measurements/index.ts";
import type { Verdict, VerdictOutcome } from "../../core/verdicts/index.ts";
import { leastP } from "../../math/hypothesis-tests/index.ts";

export interface JudgeOptions {
  /** Significance level. */
  readonly alpha: number;
  /** Smaller changes, as a share, do not count. */
  readonly minEffect: number;
  /**
   * Equivalence margin: an undecided result is `same` only if the interval excludes a change for the worse by this
   * share; else it is inconclusive.
   */
  readonly resolution: number;
  /** Values repeat exactly, such as instruction counts: any difference counts, whatever their number. */
  readonly exact: boolean;
}

export const judgeDefaults: JudgeOptions = { alpha: 0.05, minEffect: 0, resolution: 0.05, exact: false };

/** The numbers of a subject, and how to decide on it. */
export interface Judgement {
  readonly verdict: Verdict;
  /**
   * Decides by an error rate: p of a single subject, q of one among several. null: no test is needed, or none is
   * possible.
   */
  readonly decide: ((rate: number) => Decision) | null;
}

export type Decision = Pick<Verdict, "outcome" | "reason"> & Partial<Pick<Verdict, "p" | "test" | "morePairs">>;

/**
 * Decides by an error rate, which is p or q, by effect and interval. `nested`: the interval accounts for groups, unlike
 * p, and must agree.
 */
export function decide(
  known: Omit<Verdict, "outcome">,
  rate: number,
  nested: boolean,
  options: JudgeOptions,
): Decision {
  const { subject, delta, deltaLow, deltaHigh, p } = known;
  const difference = delta ?? (known.after?.center ?? 0) - (known.before?.center ?? 0);
  const isChange = difference !== 0 && !(nested && (deltaLow === null || (deltaLow <= 0 && deltaHigh! >= 0)));
  const counts = isChange && (delta === null || Math.abs(delta) >= options.minEffect);
  if (counts && rate <= options.alpha) return { outcome: direction(subject, difference), reason: null };
  const chance = counts && p! <= options.alpha ? "p alone is small, q over all rows is not" : null;
  const worst = worstChange(known);
  const limit = Math.max(options.resolution, options.minEffect);
  if (worst !== null && worst <= limit) return { outcome: "same", reason: chance };
  const reason = whyNot(known, worst, options);
  return { outcome: "inconclusive", reason: chance === null ? reason : `${chance}; ${reason}` };
}

/** The end of the interval for the worse, as a share; null: unknown. */
export function worstChange({ subject, deltaLow, deltaHigh }: Omit<Verdict, "outcome">): number | null {
  return subject.better === "lower" ? deltaHigh : deltaLow === null ? null : -deltaLow;
}

export function direction({ better }: Subject, difference: number): VerdictOutcome {
  return difference > 0 === (better === "lower") ? "worse" : "better";
}

function whyNot(
  { before, after, detectable: least, test }: Omit<Verdict, "outcome">,
  worst: number | null,
  { alpha }: JudgeOptions,
): string {
  const possible = test === "signed-rank" ? 2 ** (1 - (before?.n ?? 0)) : leastP(before?.n ?? 0, after?.n ?? 0);
  if (possible > alpha) return "too few values for this alpha";
  const seen = least === null ? "no change would have been seen" : `could have seen >= ${percent(least)}`;
  return worst === null ? seen : `${seen}; may be worse by ${percent(worst)}, the end of the 95 % interval`;
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(share >= 0.1 ? 3 : 2)} %`;
}
