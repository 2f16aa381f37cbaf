import { falseDiscovery } from "../../math/hypothesis-tests/index.ts";
import { theilSen } from "../../math/regression/index.ts";
import {
  sortFindings,
  type ChangedSeries,
  type Drift,
  type Finding,
  type Jump,
  type Limits,
  type OrderedRun,
  type TestCounts,
  type Verdict,
} from "./finding.ts";
import { SetValues, type ParameterSets } from "./parameter-sets.ts";
import type { Sample } from "./sample.ts";
import { levelsOf, seriesOf, type LongSeries, type Series } from "./series.ts";
import { courseLevels, courseOf, shiftAt, type Course, type Step } from "./trends-and-outliers.ts";
import { OutlierSearch, SpreadSearch } from "./value-searches.ts";

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

/** Searches all samples for jumps, drifts, excessive spread and outliers. */
export function mine(
  sets: ParameterSets,
  samples: readonly Sample[],
  order: readonly OrderedRun[],
  limits: Limits,
): Mined {
  const all = samples.flatMap((sample) => seriesOf(sample, sets.count));
  const long = all.filter(isLong);
  const values = new SetValues(sets);
  const search = new ChangeSearch(values, order, limits);
  const changes = search.of(long);
  const [spreads, outliers] = [new SpreadSearch(limits), new OutlierSearch(limits)];
  for (const series of all) {
    const levels = levelsOf(series);
    spreads.add(series, levels);
    outliers.add(series, levels);
  }
  return {
    findings: [
      ...sortFindings(changes),
      ...sortFindings(spreads.findings(values)),
      ...sortFindings(outliers.findings(values, order)),
    ],
    changed: search.changed,
    histories: { tested: long.length, tooFewValues: all.length - long.length },
    spreads: spreads.counts,
    outliers: outliers.counts,
  };
}

function isLong(series: Series): series is LongSeries {
  return series.runs !== null;
}

/**
 * Searches for jumps and drifts. A series with one keeps it as its course, so that spread and outliers are relative to
 * its levels.
 */
class ChangeSearch {
  readonly #sets: SetValues;
  readonly #order: readonly OrderedRun[];
  readonly #limits: Limits;
  /** The runs of each change. */
  readonly changed: Map<Finding, ChangedSeries> = new Map();

  constructor(sets: SetValues, order: readonly OrderedRun[], limits: Limits) {
    this.#sets = sets;
    this.#order = order;
    this.#limits = limits;
  }

  of(all: readonly LongSeries[]): (Jump | Drift)[] {
    const { level } = this.#limits;
    // Steps are selected by size, which no correction fully compensates.
    const courses = all.map(({ runs: { medians } }) => courseOf(medians, level / 10));
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

  #drift(series: LongSeries, course: Extract<Course, { readonly kind: "line" }>, q: number): Drift[] {
    if (q > this.#limits.level) return [];
    const { medians } = series.runs;
    const { slope, intercept, low, high } = theilSen(medians, 1 - this.#limits.level);
    const [before, after] = [intercept, intercept + slope * (medians.length - 1)];
    series.course = course;
    const ends = { before, after, relative: (after - before) / Math.abs(before) };
    const runs = { since: this.#run(series, 0), until: this.#run(series, medians.length - 1) };
    const tested = {
      result: series.sample.variable.name,
      set: this.#sets.of(series.set),
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

  #jumps(series: LongSeries, steps: readonly Step[], q: Float64Array): Jump[] {
    const kept = steps.filter((_, at) => (q[at] as number) <= this.#limits.level);
    if (kept.length > 0) series.course = { kind: "steps", steps: kept };
    return steps.flatMap((step, at) => (kept.includes(step) ? [this.#jump(series, step, q[at] as number)] : []));
  }

  #jump(series: LongSeries, step: Step, q: number): Jump {
    const { shift, low, high, before, after } = shiftAt(series.runs.medians, step, 1 - this.#limits.level);
    return this.#from(series, {
      kind: "jump",
      result: series.sample.variable.name,
      set: this.#sets.of(series.set),
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

  #from<T extends Finding>(series: LongSeries, finding: T): T {
    this.changed.set(finding, changedSeries(series));
    return finding;
  }

  #run({ sample, runs }: LongSeries, at: number): OrderedRun {
    return this.#order[sample.runs[runs.starts[at] ?? 0] ?? 0] ?? { number: 0 };
  }
}

function changedSeries({ sample, runs: { starts, medians }, course }: LongSeries): ChangedSeries {
  return {
    runs: Int32Array.from(starts, (start) => sample.runs[start] as number),
    medians,
    levels: courseLevels(medians, course),
  };
}

function verdictOf({ sample }: LongSeries, change: number): Verdict {
  const { better } = sample.variable;
  if (better === undefined || change === 0) return null;
  return change > 0 === (better === "higher") ? "better" : "worse";
}
