import { double } from "./bind-value.ts";

/** Absolute values above this may overflow a variance. */
const limit = "1e150";

export function isSafeForVariance(number: string): string {
  return `abs(${number}) < ${limit}`;
}

/** The variance of safe values; NaN instead of an engine error if there are others. `all` and `safe` are counts. */
export function overflowSafeVariance(all: string, safe: string, variance: string): string {
  return `case when ${all} < 2 then null when ${all} > ${safe} then cast('NaN' as ${double}) else ${variance} end`;
}
