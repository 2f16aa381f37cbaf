import type { Statistic } from "../statistics/statistic.ts";
import type { RowExpression } from "./row-expression.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";

/* What a database can do with the rows of a source before they leave it. */

/**
 * A condition that no missing content fulfils, and NaN only where it is to be unlike something. `absolute`: on the
 * distance from zero.
 */
export interface RowLimit {
  readonly of: RowExpression;
  readonly sign: "<" | "<=" | "=" | "<>" | ">=" | ">";
  readonly value: Exclude<Value, null>;
  readonly absolute: boolean;
}

/**
 * Of the runs that rows are from, in their order: those that are left without the first `offset`, then no more than
 * `limit`. `descending`: from the last on.
 */
export interface RunSlice {
  readonly descending: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

/**
 * `rank`: of n contents in order the ⌈n·fraction⌉th, at least the first; `interpolated`: the quantile of type 7. NaN is
 * above all numbers.
 */
export type SummaryAggregate =
  | { readonly kind: "avg" | "stddev" | "variance" | "count" | "distinct" | "min" | "max" | "sum" }
  | { readonly kind: "rank"; readonly fraction: number; readonly upper: boolean }
  | { readonly kind: "interpolated"; readonly at: number };

/**
 * Numbers that are near each other: those between two places that are `width` apart (absent: a hundredth of the range
 * of all that are finite). The first place is the least number, or the multiple of the width below it. What is next to
 * a place, or is not finite, is a group with its equals only: so little is missing to the place that computing decides
 * on which side it is.
 */
export interface NearNumbers {
  readonly of: RowExpression;
  readonly width?: number;
  readonly from: "least" | "multiple";
}

/**
 * Finite numbers in ascending order, of which those that are near each other may be one entry: the least and the
 * greatest of them, and how many they are.
 */
export interface CountedNumbers {
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  /** Absent: each once. */
  readonly counts?: Float64Array;
}

/**
 * Groups of rows in place of rows. The columns of such a table are: the run where groups are `by` runs, else nothing;
 * the contents that rows are grouped by; the aggregates; of each common variable its least and its greatest content and
 * how many there are; the number of rows. Of groups of near numbers, the least and the greatest number stand in place
 * of the contents.
 */
export interface Summary {
  readonly by: readonly RowExpression[] | "run" | NearNumbers;
  readonly columns: readonly { readonly of: RowExpression; readonly aggregate: SummaryAggregate }[];
  /** Whether all rows share the content of these is to be known. */
  readonly common: readonly Variable[];
}

/**
 * The part of contents that a rank is reached with: a trifle less than said, so that a product that should be whole is
 * never above it.
 */
export function rankFraction(percent: number): number {
  return (percent / 100) * (1 - 2 ** -50);
}

/** By which aggregate a database tells the statistic. */
export function summaryOf(statistic: Statistic): SummaryAggregate {
  switch (statistic.kind) {
    case "mean":
      return { kind: "avg" };
    case "median":
      return { kind: "interpolated", at: 0.5 };
    case "quantile":
      return { kind: "interpolated", at: statistic.at };
    default:
      return { kind: statistic.kind };
  }
}
