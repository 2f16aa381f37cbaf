import { counted } from "../../core/text/index.ts";
import { cpuTimeMetric, type Series, type Subject } from "../../core/measurements/index.ts";
import { parseUnit, sameDimension, type Unit } from "../../core/values/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { noiseAbout, winsorized } from "../../math/detectors/index.ts";
import { commonMode, type CommonMode, levelOfCanary, withoutOwnCanary } from "./suite-level.ts";
import { farthest, remedy } from "./doubt.ts";
import { calmLine, withLowClocks } from "./disturbance.ts";
import { type DetectionOptions, doubted, type Finding } from "./finding.ts";
import { judgeLine } from "./judge-series.ts";
import { compareLevels, type Quantiles, withZero } from "./level-comparison.ts";
import { estimatedLine, type Line, medianLine } from "./line.ts";

/** A series to be judged. */
export interface JudgedLine {
  readonly subject: Series["subject"];
  /** May be created at every access. */
  readonly line: Line;
  readonly question: DetectionOptions;
}

/** Findings by series, and what was removed before. */
export interface SuiteFindings {
  readonly findings: readonly Finding[][];
  readonly notes: readonly string[];
}

/**
 * Judges series that were measured together. What most series of a metric have in common is removed before; a change of
 * the common mode is not blamed on a commit, but reported with each series that has no other. `canary`: a benchmark
 * that never changes; its level is removed instead, and its changes are the machine's.
 */
export function judgeSuite(all: readonly JudgedLine[], quantiles: Quantiles, canary?: string): SuiteFindings {
  const findings = new Map<JudgedLine, Finding[]>();
  const notes: string[] = [];
  let hasCanary = false;
  const cpuTimes = cpuTimesOf(all);
  let omitted = 0;
  for (const suite of byMetric(all).values()) {
    // What series share, they share in all their runs: by the median, and the rest by the steadiest estimator.
    const wholeOf = (each: JudgedLine): Line => medianLine(each.line);
    const at = canary === undefined ? -1 : suite.findIndex(({ subject }) => isNamed(subject, canary));
    const ofCanary = at < 0 ? null : levelOfCanary(wholeOf(suite[at] as JudgedLine));
    hasCanary ||= ofCanary !== null;
    const isAffected = isOfMachine(suite[0] as JudgedLine);
    const common = isAffected ? (ofCanary ?? commonMode(suite, wholeOf)) : null;
    const shared = common === null || ofCanary !== null ? [] : sharedChanges(suite, common, quantiles);
    let [removed, ownRemoved] = [0, 0];
    const found = suite.map((each, i) => {
      const all = each.line;
      const whole = medianLine(all);
      const isCanary = ofCanary !== null && i === at;
      const shareless = isCanary ? whole : (common?.removedFrom(whole) ?? whole);
      const rest = shareless === whole && isAffected && canary === undefined ? withoutOwnCanary(whole) : shareless;
      const isRemoved = rest !== whole;
      if (shareless !== whole) removed += 1;
      else if (isRemoved) ownRemoved += 1;
      const line = isRemoved ? estimated(rest, each) : isAffected ? calmOf(each, all, cpuTimes) : all;
      omitted += whole.origins.length - line.origins.length;
      const own = judgeLine(each.subject, line, each.question, quantiles);
      if (isCanary)
        return own.map((finding) => (finding.kind === "change" ? doubted(finding, "unsteady", canaryMoved) : finding));
      return isRemoved ? withShared(own, each, shared, quantiles) : own;
    });
    for (const [i, own] of doubtInRestlessSuite(found).entries()) findings.set(suite[i] as JudgedLine, own);
    notes.push(...removalNotes(suite, removed, ofCanary === null ? "what they share" : "the canary's level"));
    notes.push(...removalNotes(suite, ownRemoved, "the canary's level"));
  }
  if (omitted > 0) notes.push(`omitted: ${counted(omitted, "point")} ${disturbedText}`);
  if (canary !== undefined && !hasCanary)
    notes.push(`no usable series of the canary ${canary}: its level is not removed`);
  return { findings: all.map((each) => findings.get(each) as Finding[]), notes };
}

const disturbedText = "measured under load, with stolen time, throttling or a low clock rate";

function removalNotes(suite: readonly JudgedLine[], count: number, what: string): string[] {
  const { metric } = (suite[0] as JudgedLine).subject;
  return count === 0
    ? []
    : [`removed from ${count} of ${counted(suite.length, "series", "series")} of ${metric}: ${what}`];
}

/** The CPU time of each benchmark that has one. */
function cpuTimesOf(all: readonly JudgedLine[]): ReadonlyMap<string, Line> {
  return new Map(
    all.flatMap((each) => (each.subject.metric === cpuTimeMetric ? [[each.subject.benchmark, each.line]] : [])),
  );
}

/** A line without disturbed points, if they are few, with the CPU time of the same program. */
function calmOf(
  { subject, question: { isIn } }: Omit<JudgedLine, "line">,
  all: Line,
  cpuTimes: ReadonlyMap<string, Line>,
): Line {
  const line = withLowClocks(all);
  if (line.origins.every(({ disturbance }) => disturbance === undefined)) return line;
  const calm = calmLine(subject, line, (at) => isIn === null || isIn(line.origins[at]?.version ?? null));
  const cpuTime = cpuTimes.get(subject.benchmark);
  return cpuTime === undefined || subject.metric === cpuTimeMetric ? calm : { ...calm, cpuTime };
}

/** A line by the estimator that is the steadiest after a part was removed. */
function estimated(line: Line, { subject }: JudgedLine): Line {
  return line.points === undefined ? line : estimatedLine(line.points, line.origins, subject.better);
}

/** Whether a benchmark is named, or has a parameter with this value. */
export function isNamed({ benchmark }: Subject, name: string): boolean {
  return benchmark === name || benchmark.split(/[\s,=[\]]+/u).includes(name);
}

function byMetric(all: readonly JudgedLine[]): ReadonlyMap<string, readonly JudgedLine[]> {
  const suites = new Map<string, JudgedLine[]>();
  for (const each of all) {
    const suite = suites.get(each.subject.metric) ?? [];
    if (suite.length === 0) suites.set(each.subject.metric, suite);
    suite.push(each);
  }
  return suites;
}

const [seconds, hertz] = [parseUnit("s"), parseUnit("Hz")];

/** Whether the speed of the machine affects a metric: times, rates, and numbers without a unit; not bytes. */
function isOfMachine({ subject: { unit } }: JudgedLine): boolean {
  const isTime = ({ base }: Unit["factors"][number]): boolean =>
    [seconds, hertz].some((each) => sameDimension({ factors: [{ base, prefix: "", exponent: 1 }] }, each));
  return unit === undefined || unit.factors.length === 0 || unit.factors.some(isTime);
}

/** A lasting change of the common mode; one that returned is the machine's. */
interface SharedChange extends Pick<Finding, "at" | "before"> {
  readonly index: number;
  /** Relative change of the common mode. */
  readonly delta: number;
  readonly p: number | null;
  readonly shared: { readonly series: number; readonly of: number };
}

function sharedChanges(suite: readonly JudgedLine[], common: CommonMode, quantiles: Quantiles): SharedChange[] {
  const { subject, question } = suite[0] as JudgedLine;
  const line = { origins: common.origins, values: common.levels };
  return judgeLine(subject, line, question, quantiles).flatMap(({ kind, at, before, index, verdict }) => {
    const isLasting = kind === "change" || (kind === "doubt" && verdict.doubt !== "returned");
    if (!isLasting || at === null || verdict.delta === null) return [];
    const { delta, p } = verdict;
    const series = suite.filter((each) => {
      const cut = each.line.origins.findIndex(({ version }) => version === at);
      return cut > 0 && Math.sign(delta) * shiftAt(each.line.values, cut) >= Math.abs(delta) / 2;
    });
    return [{ at, before, index, delta, p, shared: { series: series.length, of: suite.length } }];
  });
}

/** The relative difference of the medians before and after an index. */
function shiftAt(values: Float64Array, cut: number): number {
  return median(values.slice(cut)) / median(values.slice(0, cut)) - 1;
}

/** A change of a series belongs to a shared one within these points, if it has at most this share of its size. */
const [nearby, remainder] = [2, 0.5];

/** Whether a finding is none, or what remains of a shared change if the series follows it more or less than others. */
function isRemainder({ kind, index, verdict: { delta } }: Finding, shared: readonly SharedChange[]): boolean {
  if (kind === "none") return true;
  const isSmall = (change: SharedChange): boolean => Math.abs(delta ?? 0) <= remainder * Math.abs(change.delta);
  return shared.some((change) => (kind === "drift" || Math.abs(change.index - index) <= nearby) && isSmall(change));
}

/** The findings of a series; without a change of its own, those of the common mode and the newest points. */
function withShared(
  own: Finding[],
  { subject, line, question }: JudgedLine,
  shared: readonly SharedChange[],
  quantiles: Quantiles,
): Finding[] {
  const tips = own.filter(({ kind }) => kind === "tip");
  if (!own.every((finding) => finding.kind === "tip" || isRemainder(finding, shared))) return own;
  const found = shared.flatMap((change) => sharedFinding(subject, line, question, change, quantiles) ?? []);
  return found.length === 0 ? own : [...found, ...tips];
}

function sharedFinding(
  subject: Subject,
  { origins, values, estimator }: Line,
  { method }: DetectionOptions,
  { at, before, p, shared }: SharedChange,
  quantiles: Quantiles,
): Finding | null {
  const cut = origins.findIndex(({ version }) => version === at);
  if (cut <= 0) return null;
  const noise = noiseAbout(winsorized(values, farthest), [cut]);
  const compared = compareLevels(values, { from: 0, cut, to: values.length }, noise, quantiles);
  const alike = `shared by ${shared.series} of ${counted(shared.of, "series", "series")}`;
  const reason = `${alike}: the machine, or common code; ${remedy}`;
  return {
    verdict: {
      subject,
      ...compared,
      ...withZero(compared),
      outcome: "inconclusive",
      p,
      test: method,
      detectable: null,
      reason,
      doubt: "shared",
      shared,
      ...(estimator === undefined ? {} : { estimator }),
    },
    index: cut,
    at,
    before,
    kind: "doubt",
  };
}

/** Fewest series of a suite. */
const fewestSeries = 5;

/** A change of the machine is comparable to a change if it has at least this share of its size. */
const comparable = 0.5;

/** Largest share of other series with comparable changes of the machine. */
const mostMoving = 1 / 3;

/**
 * Doubts changes where many other series of the suite change as much by themselves: there, a series that changes only
 * once is no exception. `findings`: those of the series of one metric.
 */
function doubtInRestlessSuite(findings: readonly Finding[][]): Finding[][] {
  if (findings.length < fewestSeries) return [...findings];
  const moves = Float64Array.from(findings, (own) => Math.max(0, ...own.filter(isMove).map(sizeOf))).sort();
  return findings.map((own) =>
    own.map((finding) => {
      if (finding.kind !== "change" || finding.verdict.growth !== undefined) return finding;
      const size = comparable * sizeOf(finding);
      const moving = countFrom(moves, size);
      if (moving <= mostMoving * findings.length) return finding;
      const reason = `${moving} of ${findings.length} series change as much by themselves: the machine; ${remedy}`;
      return doubted(finding, "suite", reason);
    }),
  );
}

/** The number of values of at least `least`. */
function countFrom(sorted: Float64Array, least: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) >= least) to = middle;
    else from = middle + 1;
  }
  return sorted.length - from;
}

const canaryMoved = "the canary, which never changes: the machine";

function isMove({ kind, verdict }: Finding): boolean {
  return kind === "drift" || (kind === "doubt" && verdict.doubt !== "shared");
}

/** The change on a logarithmic scale; 0 if unknown. */
function sizeOf({ verdict: { delta } }: Finding): number {
  return delta === null || delta <= -1 ? 0 : Math.abs(Math.log1p(delta));
}
