import type { Interval } from "../../math/hypothesis-tests/sign-test.ts";
import type { Values } from "../../core/values/value.ts";

/** What a change means, where the result says which direction is better. */
export type Verdict = "better" | "worse" | null;

/** A run in the order in which changes are looked for. */
export interface RunPlace {
  readonly number: number;
  readonly commit?: string;
}

/** A parameter set with fewer values than wanted; `values` is 0 where it was never measured. */
export interface Gap {
  readonly kind: "gap";
  /** Contents of the parameters of the matrix. */
  readonly set: Values;
  /** Of the result that has the fewest. */
  readonly values: number;
  readonly lacking: number;
}

/** What all findings that a test speaks for have in common. */
interface Tested {
  /** Name of the result, whose unit values have. */
  readonly result: string;
  /** Contents of the parameters. */
  readonly set: Values;
  /** How many values (of changes: runs) tell of it. */
  readonly count: number;
  readonly p: number;
  /** p corrected for all tests of the same kind. */
  readonly q: number;
}

/** Values of one set that differ too much. Spreads are shares of the level: 0.05 is 5 %. */
export interface Spread extends Tested {
  readonly kind: "spread";
  readonly spread: number;
  readonly interval: Interval;
  /**
   * What the spread and its p come from: the median deviation and the sign test, or the standard deviation and
   * chi-square.
   */
  readonly method: "median-deviation" | "standard-deviation";
  readonly level: number;
  /** Standard deviation by mean, and the quartile coefficient of dispersion, of the values as they are. */
  readonly variation: number;
  readonly dispersion: number;
}

/** Runs from `at` on have another level than those from `since` to before it. */
export interface Jump extends Tested {
  readonly kind: "jump";
  readonly since: RunPlace;
  /** The last of the old level, and the first of the new one. */
  readonly last: RunPlace;
  readonly at: RunPlace;
  /** Medians. */
  readonly before: number;
  readonly after: number;
  readonly change: number;
  /** Of the change, in the result's unit. */
  readonly interval: Interval;
  readonly relative: number;
  readonly verdict: Verdict;
}

/** Values drift from run to run. */
export interface Drift extends Tested {
  readonly kind: "drift";
  readonly since: RunPlace;
  readonly until: RunPlace;
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
  readonly run: RunPlace;
  /** Place of the data set in its run, from 1; absent: the result has one content per run. */
  readonly dataSet?: number;
  readonly value: number;
  readonly level: number;
  /** Robust standard deviations between the two. */
  readonly distance: number;
}

export type Finding = Spread | Jump | Drift | Outlier;
