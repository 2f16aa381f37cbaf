import type { VersionId } from "../../core/versions/index.ts";
import type { Series, Subject } from "../../core/measurements/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import { type LevelChange, type Noise, noiseAbout, varianceOfMean, winsorized } from "../../math/detectors/index.ts";
import { studentTail } from "../../math/distributions/index.ts";
import { type Doubt, farthest, remedy } from "./doubt.ts";
import { type DetectionOptions, doubted, type Finding, firstInRange, withReach } from "./finding.ts";
import { exactFindings } from "./exact-findings.ts";
import { driftFinding } from "./drift-finding.ts";
import {
  compareLevels,
  type Comparison,
  type Quantiles,
  shortestLevel,
  unchanged,
  unjudgeable,
  withMove,
  withZero,
} from "./level-comparison.ts";
import { type GrowthChange, growthChange, type Line, lineOf, meanOf, medianLine } from "./line.ts";
import { relocated, type SoundChanges, soundChanges } from "./sound-changes.ts";

/** False-positive rate of the test of the newest points. */
const level = 0.0005;

/** The normal quantile of 0.8, for a power of 80 %. */
const power = 0.8416212335729143;

/** Judges a series of points of one machine; at least one finding. */
export function judgeSeries(series: Series, question: DetectionOptions, quantiles: Quantiles): Finding[] {
  return judgeLine(series.subject, lineOf(series), question, quantiles);
}

/** Judges a line. */
export function judgeLine(subject: Subject, line: Line, question: DetectionOptions, quantiles: Quantiles): Finding[] {
  const exact = exactFindings(subject, line, question);
  if (exact !== null) return exact;
  const { estimator } = line;
  if (estimator === undefined) return findingsOf(subject, line, question, quantiles);
  const findings = findingsOf(subject, line, question, quantiles).map((finding) => {
    return { ...finding, verdict: { ...finding.verdict, estimator } };
  });
  const isSame = findings.every(({ kind }) => kind === "none");
  return (isSame && estimator !== "median" ? changesOfMedian(subject, line, question, quantiles) : null) ?? findings;
}

/**
 * Findings about the medians of the runs, whose changes the steadier estimator does not share: slower runs among
 * equally fast ones. null: none.
 */
function changesOfMedian(
  subject: Subject,
  line: Line,
  question: DetectionOptions,
  quantiles: Quantiles,
): Finding[] | null {
  const found = judgeLine(subject, medianLine(line), question, quantiles);
  if (!found.some(({ kind }) => kind === "change" || kind === "doubt")) return null;
  const share = `the median of the runs changed, the ${line.estimator?.replace("-", " ")} did not`;
  return found.map((finding) =>
    finding.kind === "change" ? doubted(finding, "fastest", `${share}; ${remedy}`) : finding,
  );
}

function findingsOf(subject: Subject, line: Line, question: DetectionOptions, quantiles: Quantiles): Finding[] {
  const first = firstInRange(line, question);
  const reason = unjudgeable(subject, line, first, question.isIn !== null);
  const changes = reason === null ? relocated(line, question.detect(line.values)) : [];
  const calm = line.values.length < 2 ? line.values : winsorized(line.values, farthest);
  const found = soundChanges(subject, line, calm, changes);
  const all = new Judge(subject, { line, calm, found }, question, quantiles);
  if (reason !== null) return [all.unknown(reason)];
  const drift = all.drift(changes);
  if (drift !== null) return [drift];
  const reported = changes
    .filter(({ index }) => index >= first && isIn(line, index, question))
    .map((change) => {
      const doubt = found.doubts.get(change.index);
      return doubt === undefined ? all.change(change) : all.doubtful(change, doubt, changes);
    });
  const made = reported.length > 0 ? reported : [all.tip(first) ?? all.none(first)];
  return made.map((finding) => withReach(finding, line, calm, found.sound));
}

function isIn({ origins }: Line, at: number, { isIn: inside }: DetectionOptions): boolean {
  const origin = origins[at];
  return origin !== undefined && (inside === null || inside(origin.version));
}

/** Judges the levels of one series. */
class Judge {
  readonly #subject: Subject;
  readonly #line: Line;
  readonly #values: Float64Array;
  readonly #levelStarts: readonly number[];
  readonly #question: DetectionOptions;
  readonly #quantiles: Quantiles;
  /** The winsorized values. */
  readonly #winsorized: Float64Array;
  readonly #steps: SoundChanges["steps"];
  readonly #noise: Noise;

  /** `calm`: the values without outliers. */
  constructor(
    subject: Subject,
    { line, calm, found }: { readonly line: Line; readonly calm: Float64Array; readonly found: SoundChanges },
    question: DetectionOptions,
    quantiles: Quantiles,
  ) {
    this.#subject = subject;
    this.#line = line;
    this.#values = line.values;
    this.#levelStarts = found.sound.map(({ index }) => index);
    this.#question = question;
    this.#quantiles = quantiles;
    this.#winsorized = calm;
    this.#steps = found.steps;
    this.#noise = noiseAbout(this.#winsorized, this.#levelStarts);
  }

  unknown(reason: string): Finding {
    const nothing = { delta: null, deltaLow: null, deltaHigh: null, p: null, detectable: null };
    const verdict = {
      subject: this.#subject,
      outcome: "inconclusive",
      before: null,
      after: null,
      ...nothing,
      test: this.#question.method,
      reason,
    } as const;
    return this.#finding(verdict, this.#values.length - 1, "unknown");
  }

  change({ index, p }: LevelChange): Finding {
    const from = this.#levelStarts.findLast((start) => start < index) ?? 0;
    const to = this.#levelStarts.find((start) => start > index) ?? this.#values.length;
    const verdict = this.#comparedChange(from, index, to);
    const growth = this.#growth(from, index, to);
    const changed = {
      ...verdict,
      p: p ?? null,
      ...(growth === undefined ? {} : { growth: { before: growth.before, after: growth.after } }),
    };
    const reason =
      growth?.steps === 0 ? "the class of growth is the same" : this.#isSmall(verdict) ? this.#tooSmall() : null;
    if (reason !== null) return this.#finding({ ...changed, outcome: "same", reason }, index, "none");
    return this.#finding(
      { ...changed, outcome: this.#direction(verdict, growth?.steps), reason: null },
      index,
      "change",
    );
  }

  /**
   * A change of level that may be the machine's. Its interval allows for a movement of the machine by as much as the
   * change, in either direction.
   */
  doubtful(
    { index, p }: LevelChange,
    { kind, reason, modes, disturbed }: Doubt,
    changes: readonly LevelChange[],
  ): Finding {
    const from = changes.findLast((each) => each.index < index)?.index ?? 0;
    const to = changes.find((each) => each.index > index)?.index ?? this.#values.length;
    const verdict = this.#comparedChange(from, index, to);
    const evidence = { ...(modes === undefined ? {} : { modes }), ...(disturbed === undefined ? {} : { disturbed }) };
    const doubt = { doubt: kind, ...evidence };
    if (this.#isSmall(verdict)) return this.#finding({ ...verdict, outcome: "same", reason: null }, index, "none");
    return this.#finding(
      { ...verdict, ...withMove(verdict), p: p ?? null, outcome: "inconclusive", reason, ...doubt },
      index,
      "doubt",
    );
  }

  /** The finding of a slow change, if a line describes the values better than levels between `changes`. */
  drift(changes: readonly LevelChange[]): Finding | null {
    if (this.#line.points?.[0]?.growth !== undefined) return null;
    const found = driftFinding(this.#subject, this.#values, this.#winsorized, changes, this.#quantiles);
    if (found === null || this.#isSmall(found)) return null;
    return this.#finding(found, this.#values.length - 1, "drift");
  }

  /** The newest one or two points, if they stand out from the last level. */
  tip(first: number): Finding | undefined {
    const [from, end] = [this.#levelStarts.at(-1) ?? 0, this.#values.length];
    if (end - 2 - from < shortestLevel) return undefined;
    const own = noiseAbout(this.#winsorized.subarray(0, end - 2), this.#levelStarts);
    return [2, 1]
      .map((count) => (end - count < first ? undefined : this.#standingOut(from, end - count, own)))
      .find((each) => each !== undefined);
  }

  /** The points from `index` on, if they stand out from the level before, whose noise is `own`. */
  #standingOut(from: number, index: number, own: Noise): Finding | undefined {
    const [limit, end] = [this.#tipLimit(), this.#values.length];
    const error = Math.sqrt(varianceOfMean(own, index - from) + varianceOfMean(own, end - index));
    const t = Math.abs(meanOf(this.#values, index, end) - meanOf(this.#values, from, index)) / error;
    if (!(t > limit)) return undefined;
    const verdict = this.#compared(from, index, end, (limit + power) * error, "newest points by Student's t", own);
    const growth = this.#growth(from, index, end);
    if (growth?.steps === 0 || this.#isSmall(verdict)) return undefined;
    const points = end - index === 1 ? "the newest point stands" : "the newest two points stand";
    const { disturbance } = this.#line.origins[end - 1] ?? {};
    const reason = [
      `${points} out as ${this.#direction(verdict, growth?.steps)}`,
      `a change takes ${shortestLevel}: measure again`,
      ...(disturbance === undefined ? [] : [`the machine was disturbed: ${disturbance.text}`]),
    ].join("; ");
    const p = Number.isFinite(t) ? Math.min(1, 4 * studentTail(t, own.freedom)) : 0;
    return this.#finding({ ...verdict, ...withZero(verdict), p, outcome: "inconclusive", reason }, index, "tip");
  }

  none(first: number): Finding {
    const [from, end] = [this.#levelStarts.at(-1) ?? 0, this.#values.length];
    const cut = first > from && first < end ? first : Math.ceil((from + end) / 2);
    const { method } = this.#question;
    const verdict = this.#compared(from, cut, end, this.#shift(from, cut, end), method, this.#noise, {
      isAnywhere: true,
    });
    return this.#finding({ ...verdict, ...unchanged(this.#line, verdict.detectable, this.#question) }, cut, "none");
  }

  #finding(verdict: Finding["verdict"], index: number, kind: Finding["kind"]): Finding {
    return { verdict, index, at: this.#versionAt(index), before: this.#versionAt(index - 1), kind };
  }

  #versionAt(index: number): VersionId | null {
    return this.#line.origins[index]?.version ?? null;
  }

  #growth(from: number, cut: number, to: number): GrowthChange | undefined {
    const { points } = this.#line;
    return points && growthChange(points.slice(from, cut), points.slice(cut, to));
  }

  #compared(
    from: number,
    cut: number,
    to: number,
    detectable: number | null,
    test: string,
    noise: Noise = this.#noise,
    reach: Parameters<typeof compareLevels>[4] = {},
  ): Omit<Finding["verdict"], "outcome" | "reason"> {
    const found: Comparison = compareLevels(this.#values, { from, cut, to }, noise, this.#quantiles, reach);
    const base = Math.abs(found.before.center);
    const least = found.delta === null || detectable === null ? null : detectable / base;
    return {
      subject: this.#subject,
      ...found,
      p: null,
      test,
      detectable: least === null ? null : Math.max(least, this.#question.minEffect),
    };
  }

  #comparedChange(from: number, cut: number, to: number): Omit<Finding["verdict"], "outcome" | "reason"> {
    const walk = this.#steps.get(cut) ?? null;
    const shift = this.#shift(from, cut, to);
    return this.#compared(from, cut, to, shift, this.#question.method, this.#noise, { walk });
  }

  /** The smallest shift that is reported: by the detector, or for too few points as one of the newest. */
  #shift(from: number, cut: number, to: number): number | null {
    const noise = this.#noise;
    if (to - cut >= shortestLevel)
      return (
        this.#question.detectable?.(
          { values: this.#values, levelStarts: this.#levelStarts, noise, from, cut, to },
          this.#quantiles,
        ) ?? null
      );
    return (this.#tipLimit() + power) * Math.sqrt(varianceOfMean(noise, cut - from) + varianceOfMean(noise, to - cut));
  }

  /** Limit of t for the newest points. */
  #tipLimit(): number {
    return this.#quantiles.of(1 - level / 4, Math.max(1, this.#values.length - 1));
  }

  #tooSmall(): string {
    const { minEffect, thresholdOf } = this.#question;
    return thresholdOf === undefined
      ? "less than the least effect"
      : `less than the least effect of ${thresholdOf}, ${Number((minEffect * 100).toPrecision(3))} %`;
  }

  #isSmall({ delta }: Pick<Verdict, "delta">): boolean {
    return delta !== null && Math.abs(delta) < this.#question.minEffect;
  }

  /** `steps`: change of the growth class, if any. */
  #direction({ before, after }: Pick<Verdict, "before" | "after">, steps?: number): "worse" | "better" {
    if (steps !== undefined) return steps > 0 ? "worse" : "better";
    const isMore = (after?.center ?? 0) > (before?.center ?? 0);
    return isMore === (this.#subject.better === "higher") ? "better" : "worse";
  }
}
