import { falseDiscovery } from "../../math/hypothesis-tests/index.ts";
import type { Limits, Outlier, OrderedRun, TestCounts } from "./finding.ts";
import { Scratch, type Levels, type Series } from "./series.ts";
import type { SetValues } from "./parameter-sets.ts";
import { farValues, fewestForOutliers, type Far } from "./trends-and-outliers.ts";

interface Candidate extends Far {
  readonly series: Series;
  readonly level: number;
}

/** Searches series for values far from their level. */
export class OutlierSearch {
  readonly #limits: Limits;
  readonly #scratch = new Scratch();
  /** Values whose p alone is small enough: the correction only raises it. */
  readonly #candidates: Candidate[] = [];
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
