import type { Value } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";

/* What a database can do with the rows of a source before they leave it. */

/** A content, and what is done to it step by step: floats are multiplied or added to. */
export interface RowExpression {
  readonly variable: Variable;
  readonly steps: readonly { readonly kind: "times" | "plus"; readonly by: number }[];
}

/** A condition that no missing content fulfils, and NaN only where it is to be unlike something. `absolute`: on the distance from zero. */
export interface RowLimit {
  readonly of: RowExpression;
  readonly sign: "<" | "<=" | "=" | "<>" | ">=" | ">";
  readonly value: Exclude<Value, null>;
  readonly absolute: boolean;
}

/** `rank`: of n contents in order the ⌈n·fraction⌉th, at least the first; `interpolated`: the quantile of type 7. NaN is above all numbers. */
export type SummaryAggregate =
  | { readonly kind: "avg" | "stddev" | "variance" | "count" | "distinct" | "min" | "max" | "sum" }
  | { readonly kind: "rank"; readonly fraction: number; readonly upper: boolean }
  | { readonly kind: "interpolated"; readonly at: number };

/**
 * Groups of rows in place of rows. The columns of such a table are: the run where groups are `by` runs, else nothing; the contents that
 * rows are grouped by; the aggregates; of each common variable its least and its greatest content and how many there are; the number of rows.
 */
export interface Summary {
  readonly by: readonly Variable[] | "run";
  readonly columns: readonly { readonly of: RowExpression; readonly aggregate: SummaryAggregate }[];
  /** Whether all rows share the content of these is to be known. */
  readonly common: readonly Variable[];
}

/** The part of contents that a rank is reached with: a trifle less than said, so that a product that should be whole is never above it. */
export function rankFraction(percent: number): number {
  return (percent / 100) * (1 - 2 ** -50);
}
