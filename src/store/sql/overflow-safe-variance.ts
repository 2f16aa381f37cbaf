import { double } from "./bind-value.ts";

/** Beyond this a variance overflows. */
const limit = "1e150";

export function isTame(number: string): string {
  return `abs(${number}) < ${limit}`;
}

/**
 * The variance of those contents that are tame: where there are others, it is NaN instead of an error of the engine.
 */
export function guardedVariance(all: string, tame: string, variance: string): string {
  return `case when ${all} < 2 then null when ${all} > ${tame} then cast('NaN' as ${double}) else ${variance} end`;
}
