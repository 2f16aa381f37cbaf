import type { Experiment } from "../../core/experiments/experiment.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { rowCount, plan, type Output, type Query } from "./query.ts";
import { hasOrder, statisticOf, type Statistic } from "../statistics/statistic.ts";

/**
 * One row about the contents of a variable: how many rows there are (data sets, or runs), how many contents and how
 * many different ones, and where they have an order the least and the greatest.
 */
export function rangeQuery(variable: Variable): Query {
  const of = variable.occurrence === "multiple" ? "data" : "runs";
  return { outputs: rangeOutputs(variable), grouped: true, where: [], sort: [], of };
}

function rangeOutputs(variable: Variable): Output[] {
  const kinds: Statistic["kind"][] = ["count", "distinct", ...(hasOrder(variable) ? (["min", "max"] as const) : [])];
  const statistics = kinds.map((kind) => ({ kind }) as Statistic);
  return [
    rowCount,
    ...statistics.map((statistic) => ({ variable: statisticOf(statistic, variable), source: variable, statistic })),
  ];
}

/**
 * How many contents each result has for every set of contents of the parameters `by` (none: all parameters), in their
 * order.
 */
export function countsQuery(by: readonly string[], experiment: Experiment): Query {
  const names = (role: Variable["role"]): string[] =>
    experiment.variables.filter((each) => each.role === role).map(({ name }) => name);
  return plan(
    { results: names("result"), by: by.length === 0 ? names("parameter") : by, statistics: ["count"] },
    experiment,
  );
}
