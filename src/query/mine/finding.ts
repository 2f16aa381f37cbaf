import type { Interval } from "../../math/hypothesis-tests/index.ts";
import type { Values } from "../../core/values/index.ts";

/** Direction of a change, if the result has a preferred direction. */
export type Verdict = "better" | "worse" | null;

/** A run in the order in which changes are searched. */
export interface OrderedRun {
  readonly number: number;
  readonly commit?: string;
}

/** A parameter set with fewer values than wanted; `values` is 0 where it was never measured. */
export interface Gap {
  readonly kind: "gap";
  /** Values of the matrix parameters. */
  readonly set: Values;
  /** Number of values of the result that has the fewest. */
  readonly values: number;
  readonly missing: number;
}

/** Common members of findings with a test. */
interface Tested {
  /** Name of the result; values are in its unit. */
  readonly result: string;
  /** Values of the parameters. */
  readonly set: Values;
  /** Number of values tested (for changes: runs). */
  readonly count: number;
  readonly p: number;
  /** p corrected for all tests of the same kind. */
  readonly q: number;
}

/** Values of one set with too much spread. Spreads are shares of the level: 0.05 is 5 %. */
export interface Spread extends Tested {
  readonly kind: "spread";
  readonly spread: number;
  readonly interval: Interval;
  /**
   * Source of the spread and its p: the median deviation and the sign test, or the standard deviation and chi-square.
   */
  readonly method: "median-deviation" | "standard-deviation";
  readonly level: number;
  /** Coefficient of variation, and the quartile coefficient of dispersion, of the raw values. */
  readonly variation: number;
  readonly dispersion: number;
}

/** Runs from `at` on have another level than those from `since` to before it. */
export interface Jump extends Tested {
  readonly kind: "jump";
  readonly since: OrderedRun;
  /** The last run of the old level, and the first run of the new one. */
  readonly last: OrderedRun;
  readonly at: OrderedRun;
  /** Medians. */
  readonly before: number;
  readonly after: number;
  readonly change: number;
  /** Interval of the change, in the result's unit. */
  readonly interval: Interval;
  readonly relative: number;
  readonly verdict: Verdict;
}

/** A drift of the values from run to run. */
export interface Drift extends Tested {
  readonly kind: "drift";
  readonly since: OrderedRun;
  readonly until: OrderedRun;
  /** From one run to the next. */
  readonly slope: number;
  readonly interval: Interval;
  /** The line at both ends. */
  readonly before: number;
  readonly after: number;
  readonly relative: number;
  readonly verdict: Verdict;
}

/** One value far from the others of its set and level. */
export interface Outlier extends Tested {
  readonly kind: "outlier";
  readonly run: OrderedRun;
  /** Number of the row in its run, from 1; absent: the result has one value per run. */
  readonly row?: number;
  readonly value: number;
  readonly level: number;
  /** Distance between value and level in robust standard deviations. */
  readonly distance: number;
}

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

/** Medians of the runs of a changing series, with the positions of the runs and their levels. */
export interface ChangedSeries {
  readonly runs: Int32Array;
  readonly medians: Float64Array;
  readonly levels: Float64Array;
}

export type Finding = Spread | Jump | Drift | Outlier;

/** Sorts changes for the worse first, then those of unknown direction, then improvements; each by size. */
export function sortFindings<T extends Finding>(findings: readonly T[]): T[] {
  return findings.toSorted((a, b) => rank(a) - rank(b) || size(b) - size(a) || a.p - b.p);
}

function rank(finding: Finding): number {
  if (finding.kind === "spread" || finding.kind === "outlier") return 0;
  return finding.verdict === "worse" ? 0 : finding.verdict === null ? 1 : 2;
}

/** Relative size, or the distance of an outlier. */
function size(finding: Finding): number {
  if (finding.kind === "spread") return finding.spread;
  return finding.kind === "outlier" ? finding.distance : Math.abs(finding.relative);
}
