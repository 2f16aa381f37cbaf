import type { Series, Subject } from "../../core/measurements/series.ts";
import type { Verdict, VerdictWord } from "../../core/verdicts/verdict.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { plantedShift } from "../../math/detectors/injected-shift.ts";
import type { LevelChange } from "../../math/detectors/level-change.ts";
import { varianceOfMean } from "../../math/detectors/noise.ts";
import { falseDiscovery } from "../../math/hypothesis-tests/false-discovery.ts";
import { type Finding, judgedLine, Quantiles, type Question, type ShiftQuestion } from "./judge-series.ts";
import { lineOf, partOf } from "./line.ts";
import { OneMachine } from "./same-machine.ts";

/** Series that shifts are planted in: each takes some forty to eighty times what looking for changes in it takes. */
const mostPlanted = 30;

/**
 * The least shifts that a detector tells in four of five cases, found by planting them in the first series that are
 * asked about. Those beyond are told by their noise: the shift is as many standard errors as the first ones took in the
 * middle, of those with as many values on both sides if there are some.
 */
export class PlantedShifts {
  readonly #detect: (values: Float64Array) => readonly LevelChange[];
  readonly #shares: { readonly sides: string; readonly share: number }[] = [];

  constructor(detect: (values: Float64Array) => readonly LevelChange[]) {
    this.#detect = detect;
  }

  /** null: none is. */
  of({ values, places, noise, from, cut, to }: ShiftQuestion): number | null {
    const error = Math.sqrt(varianceOfMean(noise, cut - from) + varianceOfMean(noise, to - cut));
    const sides = `${cut - from} ${to - cut}`;
    if (this.#shares.length >= mostPlanted) return this.#shareOf(sides, error);
    const shift = plantedShift(values, places, { from, cut, to }, this.#detect);
    // Without any noise a shift is no number of errors.
    if (error > 0) this.#shares.push({ sides, share: (shift ?? Infinity) / error });
    return shift;
  }

  #shareOf(sides: string, error: number): number | null {
    const alike = this.#shares.filter((each) => each.sides === sides);
    const shares = Float64Array.from(alike.length > 0 ? alike : this.#shares, ({ share }) => share).sort();
    const middle = shares[shares.length >> 1] as number;
    return Number.isFinite(middle) ? middle * error : null;
  }
}

export interface SeriesOptions extends Question {
  /** Share of false alarms among all changes, 0..1. Methods without p are not held to it. */
  readonly falseDiscoveryRate: number;
  /** True: values of different machines are compared. */
  readonly allMachines: boolean;
  /** What is asked of a subject with a threshold of its own; undefined: what is asked of all. */
  questionOf?(subject: Subject): Question | undefined;
  /** The versions that may have made a change between two measured ones. */
  suspects(before: VersionId | null, after: VersionId): readonly VersionId[];
}

export interface SeriesVerdicts {
  /** What got worse first, what is the same last; the greater change first. One at least for each series. */
  readonly verdicts: readonly Verdict[];
  /** How many series there are, and how many could be judged. */
  readonly series: number;
  readonly judged: number;
  readonly counts: Readonly<Record<VerdictWord, number>>;
  /** Series whose newest points look worse, but are too few to tell. */
  readonly unsettled: number;
  readonly notes: readonly string[];
}

/** Looks for changes in all series together, so that many series do not make many false alarms. */
export function seriesVerdicts(all: readonly Series[], options: SeriesOptions): SeriesVerdicts {
  const [machines, quantiles] = [new OneMachine(options.allMachines), new Quantiles()];
  const findings = all.flatMap((series) => {
    const every = lineOf(series);
    const line = partOf(every, machines.of(every.origins));
    const question = options.questionOf?.(series.subject) ?? options;
    return line.values.length === 0 ? [] : [judgedLine(series.subject, line, question, quantiles)];
  });
  const q = discoveryRates(findings);
  const made = findings
    .flat()
    .map((finding) => ({ finding, verdict: verdictOf(finding, q.get(finding) ?? null, options) }));
  const verdicts = made.map(({ verdict }) => verdict).sort(byWeight);
  const isUnsettled = ({ finding: { kind, verdict: before }, verdict }: (typeof made)[number]): boolean =>
    kind === "tip" && verdict.word === "inconclusive" && isWorse(before);
  return {
    verdicts,
    series: findings.length,
    judged: findings.filter((each) => each.every(({ kind }) => kind !== "unknown")).length,
    counts: countsOf(verdicts),
    unsettled: made.filter(isUnsettled).length,
    notes: machines.notes(),
  };
}

/** q of every finding that has a p. A series without one is a test that found nothing. */
function discoveryRates(findings: readonly (readonly Finding[])[]): Map<Finding, number> {
  const tested = findings
    .flat()
    .filter(({ kind, verdict: { p } }) => p !== null && (kind === "change" || kind === "tip"));
  const isJudged = (each: readonly Finding[]): boolean => each.every(({ kind }) => kind !== "unknown");
  const tests = findings.filter(isJudged).reduce((sum, each) => sum + each.length, 0);
  const q = falseDiscovery(
    Float64Array.from(tested, ({ verdict: { p } }) => p as number),
    tests,
  );
  return new Map(tested.map((finding, at) => [finding, Math.min(1, q[at] as number)]));
}

function verdictOf({ verdict, kind, before, at }: Finding, q: number | null, options: SeriesOptions): Verdict {
  const isChance = q !== null && q > options.falseDiscoveryRate;
  if (kind === "tip" && isChance) return { ...verdict, q, word: "same", reason: null, since: null };
  if (kind !== "change" && kind !== "tip") return { ...verdict, q, since: null };
  if (kind === "change" && isChance)
    return {
      ...verdict,
      q,
      word: "inconclusive",
      reason: "of so many series some show such a change by chance",
      since: null,
    };
  return { ...verdict, q, since: sinceOf(before, at, options) };
}

function sinceOf(before: VersionId | null, version: VersionId | null, options: SeriesOptions): Verdict["since"] {
  if (version === null) return null;
  return { before, after: version, suspects: options.suspects(before, version) };
}

function isWorse({ subject, before, after }: Finding["verdict"]): boolean {
  return (after?.center ?? 0) > (before?.center ?? 0) === (subject.better === "lower");
}

function countsOf(verdicts: readonly Verdict[]): Record<VerdictWord, number> {
  const counts = { worse: 0, better: 0, same: 0, inconclusive: 0 };
  for (const { word } of verdicts) counts[word] += 1;
  return counts;
}

const weights: readonly VerdictWord[] = ["worse", "better", "inconclusive", "same"];

function byWeight(a: Verdict, b: Verdict): number {
  const size = ({ delta }: Verdict): number => Math.abs(delta ?? 0);
  const words = weights.indexOf(a.word) - weights.indexOf(b.word);
  return words || size(b) - size(a) || (a.subject.key < b.subject.key ? -1 : a.subject.key > b.subject.key ? 1 : 0);
}
