import type { Series, Subject } from "../../core/measurements/index.ts";
import type { DerivedChange, Verdict, VerdictOutcome } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { detectableShift, type LevelChange, varianceOfMean } from "../../math/detectors/index.ts";
import { groupBy } from "../../core/values/index.ts";
import { compareNaturally, counted } from "../../core/text/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { falseDiscovery } from "../../math/hypothesis-tests/index.ts";
import { ExitStatuses } from "./exit-statuses.ts";
import type { DetectionOptions, Finding, ShiftSpan } from "./finding.ts";
import { limitedLow, Quantiles, sameResolution } from "./level-comparison.ts";
import { canaryLine, type Line, lineOf } from "./line.ts";
import { CanaryBridge, type ComparableLine, comparableLines, doubtBridged, scaledLine } from "./one-scale.ts";
import { SameMachineFilter } from "./same-machine.ts";
import { isNamed, type JudgedLine, judgeSuite } from "./suite-findings.ts";

/** Most series with planted shifts: each costs 40 to 80 times a detection. */
const mostPlanted = 30;

/**
 * The smallest shifts that a detector reports with 80 % probability. Plants shifts in the first series; for later ones
 * scales the noise: the median number of standard errors of the first series, of those with equally many values on both
 * sides if any.
 */
export class PlantedShifts {
  readonly #detect: (values: Float64Array) => readonly LevelChange[];
  readonly #shares: { readonly sides: string; readonly share: number }[] = [];

  constructor(detect: (values: Float64Array) => readonly LevelChange[]) {
    this.#detect = detect;
  }

  /** null: none is detectable. */
  of({ values, levelStarts: positions, noise, from, cut, to }: ShiftSpan): number | null {
    const error = Math.sqrt(varianceOfMean(noise, cut - from) + varianceOfMean(noise, to - cut));
    const sides = `${cut - from} ${to - cut}`;
    if (this.#shares.length >= mostPlanted) return this.#shareOf(sides, error);
    const shift = detectableShift(values, positions, { from, cut, to }, this.#detect);
    // Without noise there is no ratio to the error.
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

function shareOf(before: number, after: number): number | null {
  if (before === after) return 0;
  return before === 0 ? null : after / before - 1;
}

/** Series of metrics that describe others. They are not judged: they say again what the others say. */
class DerivedSeries {
  /** The series to judge. */
  readonly judged: readonly Series[];
  readonly #derived: ReadonlyMap<string, readonly Series[]>;

  constructor(all: readonly Series[]) {
    const keys = new Set(all.map(({ subject }) => subject.key));
    const isDerived = ({ subject: { derivedFrom } }: Series): boolean =>
      derivedFrom !== undefined && keys.has(derivedFrom.key);
    this.judged = all.filter((series) => !isDerived(series));
    this.#derived = groupBy(all.filter(isDerived), ({ subject }) => subject.derivedFrom?.key ?? "");
  }

  /** Adds the derived metrics on both levels of a change. */
  evidence(verdict: Verdict): Verdict {
    const { levels, subject, since, machine, scaled } = verdict;
    const own = this.#derived.get(subject.key);
    if (own === undefined || levels === undefined || since === null) return verdict;
    const derived = own.flatMap((series): DerivedChange[] => {
      const whole = lineOf(series);
      // Its own ratios between machines are not known to be those of the metric that it describes.
      const { origins, values } = scaled === undefined ? whole : scaledLine(whole, machine ?? null, []);
      const levelOf = (versions: readonly string[]): number => {
        const known = new Set(versions);
        return median(values.filter((_, at) => known.has(origins[at]?.version ?? "")));
      };
      const [before, after] = [levelOf(levels.before), levelOf(levels.after)];
      if (!Number.isFinite(before) || !Number.isFinite(after)) return [];
      return [{ metric: series.subject.metric, before, after, delta: shareOf(before, after) }];
    });
    return derived.length === 0 ? verdict : { ...verdict, derived };
  }

  notes(): string[] {
    const all = [...this.#derived.values()].flat();
    if (all.length === 0) return [];
    const names = [...new Set(all.map(({ subject }) => subject.metric))].join(", ");
    return [`evidence only, judged if selected as results: ${counted(all.length, "series", "series")} of ${names}`];
  }
}

export interface SeriesOptions extends DetectionOptions {
  /** False discovery rate of all changes, 0..1. Not applied to methods without p. */
  readonly falseDiscoveryRate: number;
  /** True: values of different machines are compared. */
  readonly allMachines: boolean;
  /** A benchmark that never changes: its level, which is the machine's, is removed from the others. */
  readonly canary?: string;
  /**
   * A benchmark that never changes: the ratios of its levels bring the values of all machines to one scale. null: the
   * loop that perfkeep measured next to the profiles.
   */
  readonly bridge?: string | null;
  /** Options of a subject with its own threshold; undefined: the defaults. */
  optionsOf?(subject: Subject): DetectionOptions | undefined;
  /** The versions that may have caused a change between two measured ones. */
  suspects(before: VersionId | null, after: VersionId): readonly VersionId[];
}

export interface SeriesVerdicts {
  /** Worse first, same last; the larger change first. At least one per series. */
  readonly verdicts: readonly Verdict[];
  /** Number of series, and of judged ones. */
  readonly series: number;
  readonly judged: number;
  readonly counts: Readonly<Record<VerdictOutcome, number>>;
  /**
   * Number of series that look worse without a verdict: too few new points, drift, or a change that may be the
   * machine's; and of those whose program exits with another status.
   */
  readonly unconfirmed: number;
  readonly notes: readonly string[];
}

/** Detects changes in all series with common false-discovery control. */
export function seriesVerdicts(all: readonly Series[], options: SeriesOptions): SeriesVerdicts {
  const machines = new SameMachineFilter(options.allMachines, options.bridge === undefined ? undefined : 1);
  const [quantiles, derived, statuses] = [new Quantiles(), new DerivedSeries(all), new ExitStatuses(all)];
  const bridges = canaryBridges(derived.judged, options.bridge);
  const lines = derived.judged.flatMap((series) => comparedLines(series, machines, bridges, options));
  // Machines have nothing in common that could be removed from the series of all.
  const suites = [...groupBy(lines, ({ machine, isNewest }) => (isNewest ? null : machine)).values()];
  const judged = suites.map((suite) => ({ suite, ...judgeSuite(suite, quantiles, options.canary) }));
  const inOrder = judged.flatMap(({ suite }) => suite);
  const findings = doubtBridged(
    inOrder,
    judged.flatMap((each) => each.findings),
  );
  const notes = judged.flatMap((each) => each.notes);
  const q = discoveryRates(findings);
  const made = findings.flatMap((own, at) =>
    own.map((finding) => {
      const verdict = verdictOf(finding, q.get(finding) ?? null, inOrder[at] as ComparableLine, options);
      return { finding, verdict: statuses.doubted(derived.evidence(verdict)) };
    }),
  );
  const verdicts = made.map(({ verdict }) => verdict).sort(byWeight);
  const isUnsettled = ({ finding: { kind, verdict: before }, verdict }: (typeof made)[number]): boolean =>
    verdict.doubt === "failed" ||
    (kind !== "change" &&
      kind !== "unknown" &&
      verdict.outcome === "inconclusive" &&
      isWorse(before) &&
      (verdict.doubt !== "noise" || Math.abs(verdict.delta ?? 0) > (options.resolution ?? sameResolution)));
  return {
    verdicts,
    series: findings.length,
    judged: findings.filter((each) => each.every(({ kind }) => kind !== "unknown")).length,
    counts: verdictCounts(verdicts),
    unconfirmed: made.filter(isUnsettled).length,
    notes: [...machines.notes(), ...bridgeNotes(lines, bridges, options), ...notes, ...derived.notes()],
  };
}

/** A line to judge, and whether it is that of the newest machine. */
interface SuiteLine extends ComparableLine, JudgedLine {
  readonly isNewest: boolean;
}

/** A series of one machine. Its line is not kept: the values of all series would be in memory twice. */
class WholeSeries implements SuiteLine {
  readonly subject: Subject;
  readonly question: DetectionOptions;
  readonly machine = null;
  readonly isNewest = true;
  readonly #series: Series;

  constructor(series: Series, question: DetectionOptions) {
    [this.#series, this.subject, this.question] = [series, series.subject, question];
  }

  get line(): Line {
    return lineOf(this.#series);
  }
}

/** The lines of a series to judge, that of the newest machine first. */
function comparedLines(
  series: Series,
  machines: SameMachineFilter,
  bridges: ReadonlyMap<string, CanaryBridge>,
  options: SeriesOptions,
): SuiteLine[] {
  const every = lineOf(series);
  const { subject } = series;
  const question = options.optionsOf?.(subject) ?? options;
  const classes = machines.classesOf(every.origins);
  if (every.points === undefined && every.origins.length > 0 && classes[0]?.points === every.origins)
    return [new WholeSeries(series, question)];
  const detect = (values: Float64Array): readonly LevelChange[] => question.detect(values);
  return comparableLines(every, classes, detect, bridges.get(subject.metric)).flatMap((comparable, at) =>
    comparable.line.values.length === 0 ? [] : [{ ...comparable, subject, question, isNewest: at === 0 }],
  );
}

/** What messages call the loop that perfkeep measures. */
const ownCanary = "the canary";

/** By metric; `bridge`: the benchmark that never changes. */
function canaryBridges(all: readonly Series[], bridge: string | null | undefined): ReadonlyMap<string, CanaryBridge> {
  if (bridge === undefined) return new Map();
  if (bridge === null) {
    const line = canaryLine(all.flatMap((series) => lineOf(series).origins));
    const own = new CanaryBridge(ownCanary, line);
    return new Map(line.values.length === 0 ? [] : all.map(({ subject: { metric } }) => [metric, own]));
  }
  const canaries = all.filter(({ subject }) => isNamed(subject, bridge));
  return new Map(canaries.map((series) => [series.subject.metric, new CanaryBridge(bridge, lineOf(series))]));
}

function bridgeNotes(
  lines: readonly ComparableLine[],
  bridges: ReadonlyMap<string, CanaryBridge>,
  { bridge }: SeriesOptions,
): string[] {
  if (bridge === undefined) return [];
  if (bridges.size === 0) return [`no series of ${bridge ?? ownCanary}: machines are not bridged`];
  const count = lines.filter(({ scaled = [] }) => scaled.some((each) => each.bridge !== undefined)).length;
  return [`on the scale of the newest machine, by ${bridge ?? ownCanary}: ${counted(count, "series", "series")}`];
}

/** q of every finding with a p. A series without one counts as a test without a finding. */
function discoveryRates(findings: readonly (readonly Finding[])[]): Map<Finding, number> {
  const tested = findings
    .flat()
    .filter(({ kind, verdict: { p } }) => p !== null && kind !== "none" && kind !== "unknown");
  const isJudged = (each: readonly Finding[]): boolean => each.every(({ kind }) => kind !== "unknown");
  const tests = findings.filter(isJudged).reduce((sum, each) => sum + each.length, 0);
  const q = falseDiscovery(
    Float64Array.from(tested, ({ verdict: { p } }) => p as number),
    tests,
  );
  return new Map(tested.map((finding, at) => [finding, Math.min(1, q[at] as number)]));
}

function verdictOf(finding: Finding, q: number | null, compared: ComparableLine, options: SeriesOptions): Verdict {
  const [{ kind }, { machine, scaled }] = [finding, compared];
  const own = { ...(machine === null ? {} : { machine }), ...(scaled === undefined ? {} : { scaled }) };
  const judged = limitedLow(finding.verdict, compared);
  const verdict = machine === null && scaled === undefined ? judged : { ...judged, ...own };
  const isChance = q !== null && q > options.falseDiscoveryRate;
  if (kind === "tip" && isChance) return { ...verdict, q, outcome: "same", reason: null, since: null };
  if (kind === "drift" || kind === "none" || kind === "unknown") return { ...verdict, q, since: null };
  if (kind === "change" && isChance)
    return {
      ...verdict,
      q,
      outcome: "inconclusive",
      reason: "with this many series, some show such a change by chance",
      since: null,
    };
  return { ...verdict, q, since: sinceOf(finding, options) };
}

function sinceOf({ before, at, reach }: Finding, options: SeriesOptions): Verdict["since"] {
  if (at === null) return null;
  const only = { before, after: at, suspects: options.suspects(before, at) };
  const [first, last] = [reach?.steps[0], reach?.steps.at(-1)?.at ?? null];
  if (reach === undefined || first === undefined || last === null) return only;
  const all = reach.steps.flatMap((step) => (step.at === null ? [] : options.suspects(step.before, step.at)));
  const range = { before: first.before, after: last, probability: reach.probability };
  return { ...only, suspects: [...new Set(all)], range };
}

function isWorse({ subject, before, after }: Finding["verdict"]): boolean {
  return (after?.center ?? 0) > (before?.center ?? 0) === (subject.better === "lower");
}

export function verdictCounts(verdicts: readonly Verdict[]): Record<VerdictOutcome, number> {
  const counts = { worse: 0, better: 0, same: 0, inconclusive: 0 };
  for (const { outcome: word } of verdicts) counts[word] += 1;
  return counts;
}

const weights: readonly VerdictOutcome[] = ["worse", "better", "inconclusive", "same"];

function byWeight(a: Verdict, b: Verdict): number {
  const size = ({ delta }: Verdict): number => Math.abs(delta ?? 0);
  const words = weights.indexOf(a.outcome) - weights.indexOf(b.outcome);
  return words || size(b) - size(a) || compareNaturally(a.subject.key, b.subject.key);
}
