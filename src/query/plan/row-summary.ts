import type { SummaryAggregate } from "../statistics/index.ts";
import type { RowExpression } from "./row-expression.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/* What a database can do with the rows of a source before they leave it. */

/** A condition that fails for missing values, and for NaN except with `<>`. `absolute`: on the absolute value. */
export interface RowLimit {
  readonly of: RowExpression;
  readonly sign: "<" | "<=" | "=" | "<>" | ">=" | ">";
  readonly value: Exclude<Value, null>;
  readonly absolute: boolean;
}

/**
 * A slice of the runs of the rows, in order: skips the first `offset`, then takes at most `limit`. `descending`: from
 * the last run on.
 */
export interface RunSlice {
  readonly descending: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

/**
 * Bins of numbers: intervals of `width` (absent: a hundredth of the range of all finite numbers). The first edge is the
 * least number, or the multiple of the width below it. Numbers at an edge within rounding error, and non-finite ones,
 * are only grouped with equal numbers: the caller assigns them to a bin.
 */
export interface NearNumbers {
  readonly of: RowExpression;
  readonly width?: number;
  readonly from: "least" | "multiple";
}

/** Finite numbers in ascending order; numbers of one bin may be one entry with their minimum, maximum and count. */
export interface CountedNumbers {
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  /** Absent: each once. */
  readonly counts?: Float64Array;
}

/**
 * Groups of rows instead of rows. The columns of the table are: the run if grouped by run, else nothing; the group
 * keys; the aggregates; of each common variable the minimum, the maximum and the number of values; the number of rows.
 * For bins, the minimum and the maximum replace the keys.
 */
export interface Summary {
  readonly by: readonly RowExpression[] | "run" | NearNumbers;
  readonly columns: readonly { readonly of: RowExpression; readonly aggregate: SummaryAggregate }[];
  /** Variables for which it must be known whether all rows share the value. */
  readonly common: readonly Variable[];
}

/** The fraction of values at a rank: slightly less than exact, so that rounding never exceeds an integer product. */
export function rankFraction(percent: number): number {
  return (percent / 100) * (1 - 2 ** -50);
}
