import { falseDiscovery } from "../../math/hypothesis-tests/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { theilSen } from "../../math/regression/index.ts";
import {
  type Drift,
  type Finding,
  type Jump,
  type Outlier,
  type OrderedRun,
  type Spread,
  type Verdict,
  sortFindings,
} from "./finding.ts";
import {
  courseOf,
  fewestRuns,
  courseLevels,
  shiftAt,
  type Course,
  type Step,
  farValues,
  fewestForOutliers,
  describedSpread,
  fewestForSpread,
  spreadOf,
} from "./trends-and-outliers.ts";
import { valuesOfSet, type ParameterSets } from "./parameter-sets.ts";
import type { Sample } from "./sample.ts";

export interface Limits {
  /** False discovery rate of the findings of a query; intervals cover one less it. */
  readonly level: number;
  /** Maximum acceptable spread, as a share of the level. */
  readonly maxSpread: number;
}

/** Number of tests, and of cases with too few values. */
export interface TestCounts {
  readonly tested: number;
  readonly tooFewValues: number;
}

export interface Mined {
  /** By kind: changes for the worse first, then the largest. */
  readonly findings: readonly Finding[];
  /** The runs of each finding of a change, in order. */
  readonly changed: ReadonlyMap<Finding, ChangedSeries>;
  /** Test counts of series (one set and result), sets and values. */
  readonly histories: TestCounts;
  readonly spreads: TestCounts;
  readonly outliers: TestCounts;
}

/** Medians of the runs of a changing series, with the positions of the runs and their levels. */
export interface ChangedSeries {
  readonly runs: Int32Array;
  readonly medians: Float64Array;
  readonly levels: Float64Array;
}

/** The values of one result in one set. */
interface Series {
  readonly sample: Sample;
  readonly set: number;
  readonly from: number;
  readonly to: number;
  /** Start of the values of each run, and their medians. */
  readonly runStarts: readonly number[];
  readonly medians: Float64Array;
  course: Course;
  /** For each value the level of its set, or of its run if the set changes; set after the courses. */
  levels: Float64Array;
}

/** Searches all samples for jumps, drifts, excessive spread and outliers. */
export function mine(
  sets: ParameterSets,
  samples: readonly Sample[],
  order: readonly OrderedRun[],
  limits: Limits,
): Mined {
  const all = samples
    .flatMap((sample) => Array.from({ length: sets.count }, (_, set) => seriesOf(sample, set)))
    .filter(hasValues);
  const long = all.filter(({ medians }) => medians.length >= fewestRuns);
  const search = new Changes(sets, order, limits);
  const changes = search.of(long);
  for (const series of all) series.levels = levelsOf(series);
  const spreads = spreadsOf(sets, all, limits);
  const outliers = outliersOf(sets, order, all, limits);
  return {
    findings: [...sortFindings(changes), ...sortFindings(spreads.found), ...sortFindings(outliers.found)],
    changed: new Map(changes.map((change) => [change, changedSeries(search.origins.get(change))])),
    histories: { tested: long.length, tooFewValues: all.length - long.length },
    spreads: spreads.counts,
    outliers: outliers.counts,
  };
}

function hasValues({ from, to }: Series): boolean {
  return to > from;
}

function seriesOf(sample: Sample, set: number): Series {
  const [from, to] = [sample.starts[set] as number, sample.starts[set + 1] as number];
  const runStarts: number[] = [];
  for (let at = from; at < to; at++) if (at === from || sample.runs[at] !== sample.runs[at - 1]) runStarts.push(at);
  const medians = Float64Array.from(runStarts, (start, run) =>
    median(sample.values.subarray(start, runStarts[run + 1] ?? to)),
  );
  return { sample, set, from, to, runStarts, medians, course: { kind: "steady" }, levels: new Float64Array(0) };
}

/**
 * Searches for jumps and drifts. A series with one keeps it as its course, so that spread and outliers are relative to
 * its levels.
 */
class Changes {
  readonly #sets: ParameterSets;
  readonly #order: readonly OrderedRun[];
  readonly #limits: Limits;
  readonly origins: Map<Finding, Series> = new Map();

  constructor(sets: ParameterSets, order: readonly OrderedRun[], limits: Limits) {
    this.#sets = sets;
    this.#order = order;
    this.#limits = limits;
  }

  of(all: readonly Series[]): (Jump | Drift)[] {
    const { level } = this.#limits;
    // Steps are selected by size, which no correction fully compensates.
    const courses = all.map(({ medians }) => courseOf(medians, level / 10));
    const p = courses.flatMap((course) =>
      course.kind === "steps" ? course.steps.map((step) => step.p) : course.kind === "line" ? course.p : [],
    );
    // Each series was tested for steps and for a line.
    const q = falseDiscovery(Float64Array.from(p), Math.max(p.length, 2 * all.length));
    let next = 0;
    return all.flatMap((series, at): (Jump | Drift)[] => {
      const course = courses[at] ?? series.course;
      if (course.kind === "line") return this.#drift(series, course, q[next++] as number);
      return course.kind === "steps"
        ? this.#jumps(series, course.steps, q.subarray(next, (next += course.steps.length)))
        : [];
    });
  }

  #drift(series: Series, course: Extract<Course, { readonly kind: "line" }>, q: number): Drift[] {
    if (q > this.#limits.level) return [];
    const { medians } = series;
    const { slope, intercept, low, high } = theilSen(medians, 1 - this.#limits.level);
    const [before, after] = [intercept, intercept + slope * (medians.length - 1)];
    series.course = course;
    const ends = { before, after, relative: (after - before) / Math.abs(before) };
    const runs = { since: this.#run(series, 0), until: this.#run(series, medians.length - 1) };
    const tested = {
      result: series.sample.variable.name,
      set: valuesOfSet(this.#sets, series.set),
      count: medians.length,
      p: course.p,
      q,
    };
    return [
      this.#from(series, {
        kind: "drift",
        ...tested,
        ...runs,
        slope,
        interval: { low, high },
        ...ends,
        verdict: verdictOf(series, slope),
      }),
    ];
  }

  #jumps(series: Series, steps: readonly Step[], q: Float64Array): Jump[] {
    const kept = steps.filter((_, at) => (q[at] as number) <= this.#limits.level);
    if (kept.length > 0) series.course = { kind: "steps", steps: kept };
    return steps.flatMap((step, at) => (kept.includes(step) ? [this.#jump(series, step, q[at] as number)] : []));
  }

  #jump(series: Series, step: Step, q: number): Jump {
    const { shift, low, high, before, after } = shiftAt(series.medians, step, 1 - this.#limits.level);
    return this.#from(series, {
      kind: "jump",
      result: series.sample.variable.name,
      set: valuesOfSet(this.#sets, series.set),
      count: step.to - step.from,
      p: step.p,
      q,
      since: this.#run(series, step.from),
      last: this.#run(series, step.at - 1),
      at: this.#run(series, step.at),
      before,
      after,
      change: shift,
      interval: { low, high },
      relative: shift / Math.abs(before),
      verdict: verdictOf(series, shift),
    });
  }

  #from<T extends Finding>(series: Series, finding: T): T {
    this.origins.set(finding, series);
    return finding;
  }

  #run({ sample, runStarts }: Series, at: number): OrderedRun {
    return this.#order[sample.runs[runStarts[at] ?? 0] ?? 0] ?? { number: 0 };
  }
}

function changedSeries(series: Series | undefined): ChangedSeries {
  if (series === undefined)
    return { runs: new Int32Array(0), medians: new Float64Array(0), levels: new Float64Array(0) };
  const { sample, runStarts, medians, course } = series;
  return {
    runs: Int32Array.from(runStarts, (start) => sample.runs[start] as number),
    medians,
    levels: courseLevels(medians, course),
  };
}

function verdictOf({ sample }: Series, change: number): Verdict {
  const { better } = sample.variable;
  if (better === undefined || change === 0) return null;
  return change > 0 === (better === "higher") ? "better" : "worse";
}

function levelsOf({ sample, from, to, runStarts, medians, course }: Series): Float64Array {
  const levels = new Float64Array(to - from);
  if (course.kind === "steady") return levels.fill(median(sample.values.subarray(from, to)));
  const ofRuns = courseLevels(medians, course);
  runStarts.forEach((start, run) =>
    levels.fill(ofRuns[run] as number, start - from, (runStarts[run + 1] ?? to) - from),
  );
  return levels;
}

function spreadsOf(
  sets: ParameterSets,
  all: readonly Series[],
  limits: Limits,
): { found: Spread[]; counts: TestCounts } {
  const asked = all.flatMap((series) => {
    const values = series.sample.values.subarray(series.from, series.to);
    const { levels } = series;
    // A level of 0 has no relative spread.
    if (values.length < fewestForSpread || levels.some((level) => level === 0)) return [];
    const relative = values.map((value, at) => (value - (levels[at] as number)) / Math.abs(levels[at] as number));
    const evidence = spreadOf(relative, limits.maxSpread, 1 - limits.level);
    return Number.isFinite(evidence.spread) ? [{ series, values, evidence }] : [];
  });
  const q = falseDiscovery(Float64Array.from(asked, ({ evidence }) => evidence.p));
  const found = asked.flatMap(({ series, values, evidence }, at): Spread[] => {
    if ((q[at] as number) > limits.level) return [];
    const tested = {
      result: series.sample.variable.name,
      set: valuesOfSet(sets, series.set),
      count: values.length,
      q: q[at] as number,
    };
    return [{ kind: "spread", ...tested, ...evidence, ...describedSpread(values) }];
  });
  return { found, counts: { tested: asked.length, tooFewValues: all.length - asked.length } };
}

function outliersOf(
  sets: ParameterSets,
  order: readonly OrderedRun[],
  all: readonly Series[],
  limits: Limits,
): { found: Outlier[]; counts: TestCounts } {
  let [tested, tooFew] = [0, 0];
  const far = all.flatMap((series) => {
    const values = series.sample.values.subarray(series.from, series.to);
    if (values.length < fewestForOutliers) tooFew += values.length;
    else tested += values.length;
    const { levels } = series;
    return farValues(values.map((value, at) => value - (levels[at] as number))).map((each) => ({
      series,
      level: levels[each.at],
      ...each,
    }));
  });
  const chances = Float64Array.from(far, ({ p }) => p);
  const q = falseDiscovery(chances, tested);
  const found = far.flatMap(({ series, at, level = 0, distance, p }, index): Outlier[] => {
    if ((q[index] as number) > limits.level) return [];
    const { sample, set, from, to } = series;
    const run = order[sample.runs[from + at] ?? 0] ?? { number: 0 };
    const row = sample.rowNumbers === null ? {} : { row: sample.rowNumbers[from + at] as number };
    const tests = { result: sample.variable.name, set: valuesOfSet(sets, set), count: to - from, p };
    const value = sample.values[from + at] as number;
    return [{ kind: "outlier", ...tests, q: q[index] as number, run, ...row, value, level, distance }];
  });
  return { found, counts: { tested, tooFewValues: tooFew } };
}
