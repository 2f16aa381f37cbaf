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

/** Searches series for more spread than is accepted. */
export class SpreadSearch {
  readonly #limits: Limits;
  readonly #scratch = new Scratch();
  /** Series whose p alone is small enough: the correction only raises it. */
  readonly #candidates: { readonly series: Series; readonly evidence: Evidence }[] = [];
  #tested = 0;
  #tooFewValues = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get counts(): TestCounts {
    return { tested: this.#tested, tooFewValues: this.#tooFewValues };
  }

  add(series: Series, levels: Levels): void {
    const { level, maxSpread } = this.#limits;
    const relative = series.to - series.from < fewestForSpread ? null : this.#relative(series, levels);
    const evidence = relative === null ? null : spreadOf(relative, maxSpread, 1 - level);
    if (evidence === null || !Number.isFinite(evidence.spread)) this.#tooFewValues += 1;
    else {
      this.#tested += 1;
      if (evidence.p <= level) this.#candidates.push({ series, evidence });
    }
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
    const q = falseDiscovery(
      Float64Array.from(this.#candidates, ({ evidence }) => evidence.p),
      this.#tested,
    );
    return this.#candidates.flatMap(({ series: { sample, set, from, to }, evidence }, at): Spread[] => {
      if ((q[at] as number) > this.#limits.level) return [];
      const tested = { result: sample.variable.name, set: sets.of(set), count: to - from, q: q[at] as number };
      return [{ kind: "spread", ...tested, ...evidence, ...describedSpread(sample.values.subarray(from, to)) }];
    });
  }
}

interface FarValue extends Far {
  readonly series: Series;
  readonly level: number;
}

/** Searches series for values far from their level. */
export class OutlierSearch {
  readonly #limits: Limits;
  readonly #scratch = new Scratch();
  /** Values whose p alone is small enough: the correction only raises it. */
  readonly #candidates: FarValue[] = [];
  #tested = 0;
  #tooFewValues = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get counts(): TestCounts {
    return { tested: this.#tested, tooFewValues: this.#tooFewValues };
  }

  add(series: Series, levels: Levels): void {
    const { sample, from, to } = series;
    if (to - from < fewestForOutliers) return void (this.#tooFewValues += to - from);
    this.#tested += to - from;
    const deviations = this.#scratch.take(to - from);
    for (let at = 0; at < deviations.length; at++)
      deviations[at] = (sample.values[from + at] as number) - levelAt(levels, at);
    for (const far of farValues(deviations))
      if (far.p <= this.#limits.level) this.#candidates.push({ ...far, series, level: levelAt(levels, far.at) });
  }

  findings(sets: SetValues, order: readonly OrderedRun[]): Outlier[] {
    const q = falseDiscovery(
      Float64Array.from(this.#candidates, ({ p }) => p),
      this.#tested,
    );
    return this.#candidates.flatMap(({ series, at, level, distance, p }, index): Outlier[] => {
      if ((q[index] as number) > this.#limits.level) return [];
      const { sample, set, from, to } = series;
      const run = order[sample.runs[from + at] ?? 0] ?? { number: 0 };
      const row = sample.rowNumbers === null ? {} : { row: sample.rowNumbers[from + at] as number };
      const tests = { result: sample.variable.name, set: sets.of(set), count: to - from, p };
      const value = sample.values[from + at] as number;
      return [{ kind: "outlier", ...tests, q: q[index] as number, run, ...row, value, level, distance }];
    });
  }
}

function levelAt(levels: Levels, at: number): number {
  return typeof levels === "number" ? levels : (levels[at] as number);
}
