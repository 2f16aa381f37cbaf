import { falseDiscovery } from "../../math/hypothesis-tests/index.ts";
import type { Limits, OrderedRun, Outlier, Spread, TestCounts } from "./finding.ts";
import { Scratch, type Levels, type Series } from "./series.ts";
import type { SetValues } from "./parameter-sets.ts";
import {
  describedSpread,
  farValues,
  fewestForOutliers,
  fewestForSpread,
  spreadOf,
  type Evidence,
  type Far,
} from "./trends-and-outliers.ts";

/** The tests of a search, and the candidates whose p alone is small enough: the correction only raises it. */
class Tests<Candidate extends { readonly p: number }> {
  readonly #level: number;
  readonly #candidates: Candidate[] = [];
  #tested = 0;
  #tooFewValues = 0;

  constructor(level: number) {
    this.#level = level;
  }

  get counts(): TestCounts {
    return { tested: this.#tested, tooFewValues: this.#tooFewValues };
  }

  count(tests: number): void {
    this.#tested += tests;
  }

  skip(tests: number): void {
    this.#tooFewValues += tests;
  }

  keep(candidate: Candidate): void {
    if (candidate.p <= this.#level) this.#candidates.push(candidate);
  }

  /** The findings of the candidates that remain after the correction for all tests. */
  findings<Finding>(findingOf: (candidate: Candidate, q: number) => Finding): Finding[] {
    const q = falseDiscovery(
      Float64Array.from(this.#candidates, ({ p }) => p),
      this.#tested,
    );
    return this.#candidates.flatMap((candidate, at) =>
      (q[at] as number) > this.#level ? [] : [findingOf(candidate, q[at] as number)],
    );
  }
}

/** Searches series for more spread than is accepted. */
export class SpreadSearch {
  readonly #limits: Limits;
  readonly #scratch = new Scratch();
  readonly #tests: Tests<Evidence & { readonly series: Series }>;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#tests = new Tests(limits.level);
  }

  get counts(): TestCounts {
    return this.#tests.counts;
  }

  add(series: Series, levels: Levels): void {
    const { level, maxSpread } = this.#limits;
    const relative = series.to - series.from < fewestForSpread ? null : this.#relative(series, levels);
    const evidence = relative === null ? null : spreadOf(relative, maxSpread, 1 - level);
    if (evidence === null || !Number.isFinite(evidence.spread)) return this.#tests.skip(1);
    this.#tests.count(1);
    this.#tests.keep({ series, ...evidence });
  }

  /** The deviations from the levels as shares of them; null at a level of 0, which has no relative spread. */
  #relative({ sample, from, to }: Series, levels: Levels): Float64Array | null {
    const relative = this.#scratch.take(to - from);
    for (let at = 0; at < relative.length; at++) {
      const level = levelAt(levels, at);
      if (level === 0) return null;
      relative[at] = ((sample.values[from + at] as number) - level) / Math.abs(level);
    }
    return relative;
  }

  findings(sets: SetValues): Spread[] {
    return this.#tests.findings(({ series: { sample, set, from, to }, ...evidence }, q): Spread => {
      const tested = { result: sample.variable.name, set: sets.of(set), count: to - from, q };
      return { kind: "spread", ...tested, ...evidence, ...describedSpread(sample.values.subarray(from, to)) };
    });
  }
}

interface FarValue extends Far {
  readonly series: Series;
  readonly level: number;
}

/** Searches series for values far from their level. */
export class OutlierSearch {
  readonly #scratch = new Scratch();
  readonly #tests: Tests<FarValue>;

  constructor({ level }: Limits) {
    this.#tests = new Tests(level);
  }

  get counts(): TestCounts {
    return this.#tests.counts;
  }

  add(series: Series, levels: Levels): void {
    const { sample, from, to } = series;
    if (to - from < fewestForOutliers) return this.#tests.skip(to - from);
    this.#tests.count(to - from);
    const deviations = this.#scratch.take(to - from);
    for (let at = 0; at < deviations.length; at++)
      deviations[at] = (sample.values[from + at] as number) - levelAt(levels, at);
    for (const far of farValues(deviations)) this.#tests.keep({ ...far, series, level: levelAt(levels, far.at) });
  }

  findings(sets: SetValues, order: readonly OrderedRun[]): Outlier[] {
    return this.#tests.findings(({ series, at, level, distance, p }, q): Outlier => {
      const { sample, set, from, to } = series;
      const run = order[sample.runs[from + at] ?? 0] ?? { number: 0 };
      const row = sample.rowNumbers === null ? {} : { row: sample.rowNumbers[from + at] as number };
      const tests = { result: sample.variable.name, set: sets.of(set), count: to - from, p };
      const value = sample.values[from + at] as number;
      return { kind: "outlier", ...tests, q, run, ...row, value, level, distance };
    });
  }
}

function levelAt(levels: Levels, at: number): number {
  return typeof levels === "number" ? levels : (levels[at] as number);
}
