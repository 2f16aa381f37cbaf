import { Failure } from "../../core/failures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { studentQuantile } from "../../math/distributions/index.ts";
import { numbersOf, requireColumn } from "./columns.ts";
import { errorStatistics, type DrawnResult } from "./plot.ts";

/** The numbers of one result by row of the table; NaN where missing. */
export interface ResultPoints {
  readonly result: DrawnResult;
  readonly variable: Variable;
  /** Rows of the table. */
  readonly length: number;
  center(row: number): number;
  readonly low?: (row: number) => number;
  readonly high?: (row: number) => number;
}

export function pointsOf(table: Table, result: DrawnResult): ResultPoints {
  const { name, statistic } = result;
  const column = requireColumn(table, statistic === undefined ? name : `${name}.${statistic}`);
  const center = numbersOf(column);
  return { result, variable: column.variable, length: table.length, center, ...barsOf(table, center, result) };
}

type Ends = Pick<ResultPoints, "low" | "high">;

function barsOf(table: Table, center: (row: number) => number, { name, errors, statistic }: DrawnResult): Ends {
  if (errors === "none") return {};
  if (errors === "ci" && statistic !== "mean") {
    throw new Failure("unusable-combination", {
      what: `the confidence interval is one of the mean, not of ${statistic}`,
      instead: "plot the mean, or choose other error bars",
    });
  }
  const [first, second] = errorStatistics(errors).map((word) => numbersOf(requireColumn(table, `${name}.${word}`)));
  if (errors === "minmax" || errors === "quantiles") return { low: first, high: second } as Ends;
  const half = errors === "ci" ? confidenceOf(first, second) : first;
  return {
    low: (row) => center(row) - (half?.(row) ?? Number.NaN),
    high: (row) => center(row) + (half?.(row) ?? Number.NaN),
  };
}

/** Half the width of the 95 % confidence interval of a mean; NaN below two values. */
function confidenceOf(deviation?: (row: number) => number, count?: (row: number) => number): (row: number) => number {
  return (row) => {
    const count2 = count?.(row) ?? 0;
    return count2 < 2
      ? Number.NaN
      : (studentQuantile(0.975, count2 - 1) * (deviation?.(row) ?? Number.NaN)) / Math.sqrt(count2);
  };
}
