import type { RowExpression } from "./row-expression.ts";
import type { Value } from "../../core/values/index.ts";

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

/** The fraction of values at a rank: slightly less than exact, so that rounding never exceeds an integer product. */
export function rankFraction(percent: number): number {
  return (percent / 100) * (1 - 2 ** -50);
}
