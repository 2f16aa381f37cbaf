import {
  sortFindings,
  type ChangedSeries,
  type Finding,
  type Limits,
  type OrderedRun,
  type TestCounts,
} from "./finding.ts";
import { ChangeSearch } from "./change-search.ts";
import { SpreadSearch } from "./spread-search.ts";
import { OutlierSearch } from "./outlier-search.ts";
import { SetValues, type ParameterSets } from "./parameter-sets.ts";
import type { Sample } from "./sample.ts";
import { levelsOf, seriesOf, type LongSeries, type Series } from "./series.ts";

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
