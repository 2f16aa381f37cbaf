import type { Experiment } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { parseStatistic, statisticOf, summaryOf, type Statistic, hasOrder } from "../statistics/index.ts";
import { parseConditions } from "./condition.ts";
import { type LogicalPlan, type Output, type SortKey, sourceOf, valueOutput } from "./logical-plan.ts";
import { variablesIn, type Predicate } from "./predicate.ts";
import { numberOfRun, runVariable, runVariables } from "./run-variables.ts";

/**
 * A query of one experiment as the user states it. All members are optional: without results, all variables are
 * selected.
 */
export interface QuerySpec {
  /** Names of the variables whose values (or statistics) are selected. */
  readonly results?: readonly string[];
  /** Names of the variables to group by, the first columns of the result. */
  readonly by?: readonly string[];
  /** Predicate like `S_size>=1KiByte`, combined by `and` and `or`; all must hold. */
  readonly where?: readonly string[];
  /** Names of statistics; none: the result has a row for each row of the experiment. */
  readonly statistics?: readonly string[];
  /** Only runs that measured one of these versions. */
  readonly versions?: readonly VersionId[];
  /** Only these runs, by number. */
  readonly runs?: readonly number[];
  /** Names of result columns, `-name` for descending. Default: groups by `by`, rows as imported. */
  readonly sort?: readonly string[];
  readonly limit?: number;
}

/** Resolves and checks the names of a query. Fails with `unknown-variable` and others, with similar names. */
export function plan(question: QuerySpec, experiment: Experiment): LogicalPlan {
  const by = (question.by ?? []).map((name) => findVariable(name, experiment));
  const statistics = (question.statistics ?? []).map(parseStatistic);
  const named = (question.results ?? []).map((name) => findVariable(name, experiment));
  const where = (question.where ?? []).map((text) => parseConditions(text, (name) => findVariable(name, experiment)));
  const grouped = groupedBy(question);
  const outputs = grouped
    ? unique([...by.map(valueOutput), ...statisticOutputs(statistics, named, experiment)])
    : unique((named.length > 0 ? named : experiment.variables).map(valueOutput));
  if (outputs.length === 0) throw new Failure("no-numbers", { experiment: experiment.name });
  const used = [...outputs.flatMap((output) => sourceOf(output) ?? []), ...where.flatMap(variablesIn)];
  return {
    outputs,
    grouped,
    where,
    ...(question.versions === undefined ? {} : { versions: question.versions }),
    ...(question.runs === undefined ? {} : { runs: question.runs }),
    sort: (question.sort ?? []).map((word) => sortKey(word, outputs)),
    ...(question.limit === undefined ? {} : { limit: question.limit }),
    of: rowsOf(used, named.length === 0, experiment),
  };
}

/** Whether a query has one row per group. */
export function groupedBy({ by = [], statistics = [] }: QuerySpec): boolean {
  return by.length > 0 || statistics.length > 0;
}

/** A query for the rows of an experiment, as imported. */
export function rowsQuery(
  variables: readonly Variable[],
  where: readonly Predicate[],
  experiment: Experiment,
): LogicalPlan {
  const used = [...variables, ...where.flatMap(variablesIn)];
  return { outputs: variables.map(valueOutput), grouped: false, where, sort: [], of: rowsOf(used, false, experiment) };
}

/** Finds a variable of the experiment, case-insensitively, then a run variable (`run`, `commit`, …). */
export function findVariable(name: string, experiment: Experiment): Variable {
  const key = name.toLowerCase();
  const found =
    experiment.variables.find((variable) => variable.name === name) ??
    experiment.variables.find((variable) => variable.name.toLowerCase() === key) ??
    runVariables.find((variable) => variable.name === key || `@${variable.name}` === key);
  if (found !== undefined) return found;
  const known = [...experiment.variables, ...runVariables].map((variable) => variable.name);
  throw new Failure("unknown-variable", {
    variable: name,
    experiment: experiment.name,
    near: nearest(name, known).join(", "),
    known: known.join(", "),
  });
}

/** The statistics of a grouped query: the mean of named results by default. */
export function selectedStatistics(statistics: readonly Statistic[], hasResults: boolean): readonly Statistic[] {
  return statistics.length > 0 || !hasResults ? statistics : [{ kind: "mean" }];
}

/** Without results, all results that allow the statistic; a count without results counts rows. */
function statisticOutputs(
  statistics: readonly Statistic[],
  named: readonly Variable[],
  experiment: Experiment,
): Output[] {
  return selectedStatistics(statistics, named.length > 0).flatMap((statistic) => {
    if (named.length > 0) return named.map((of) => statisticOutput(statistic, of));
    if (statistic.kind === "count") return [rowCount];
    const possible = experiment.variables.filter((variable) => variable.role === "result" && numbersOnly(variable));
    return possible.map((of) => statisticOutput(statistic, of));
  });
}

function statisticOutput(statistic: Statistic, of: Variable): Output {
  return { ...valueOutput(of), variable: statisticOf(statistic, of), aggregate: summaryOf(statistic) };
}

/** Number of rows of a group, or of all. */
export const rowCount: Output = {
  variable: { name: "count", role: "result", occurrence: "multiple", type: "integer" },
  aggregate: { kind: "rows" },
};

/** Number of runs of each version, in order of ids. */
export const runsByCommit: LogicalPlan = {
  outputs: [valueOutput(runVariable("commit")), rowCount],
  grouped: true,
  where: [],
  sort: [],
  of: "runs",
};

/** The numbers of the runs that contribute to the result. */
export function runsOf({ sort: _, limit: __, ...query }: LogicalPlan): LogicalPlan {
  return { ...query, outputs: [valueOutput(numberOfRun), rowCount], grouped: true, sort: [] };
}

function numbersOnly(variable: Variable): boolean {
  return variable.type === "integer" || variable.type === "float" || variable.type === "duration";
}

function unique(outputs: readonly Output[]): Output[] {
  return [...new Map(outputs.map((output) => [output.variable.name, output])).values()];
}

function rowsOf(used: readonly Variable[], resultsOpen: boolean, experiment: Experiment): "data" | "runs" {
  const own = used.filter((variable) => experiment.variables.includes(variable));
  if (own.some((variable) => variable.occurrence === "multiple")) return "data";
  return resultsOpen && experiment.variables.some((variable) => variable.occurrence === "multiple") ? "data" : "runs";
}

function sortKey(word: string, outputs: readonly Output[]): SortKey {
  const names = outputs.map((output) => output.variable.name);
  const descending = word.startsWith("-");
  const name = descending ? word.slice(1) : word;
  const key = name.toLowerCase().replace(/^@/, "");
  const output = names.includes(name) ? names.indexOf(name) : names.findIndex((each) => each.toLowerCase() === key);
  if (output < 0)
    throw new Failure("unknown-sort-key", {
      key: name,
      near: nearest(name, names).join(", "),
      known: names.join(", "),
    });
  return { output, descending };
}

/**
 * A query for one row about the values of a variable: number of rows (or runs), of values and of distinct values, and
 * for ordered types the minimum and the maximum.
 */
export function rangeQuery(variable: Variable): LogicalPlan {
  const of = variable.occurrence === "multiple" ? "data" : "runs";
  return { outputs: rangeOutputs(variable), grouped: true, where: [], sort: [], of };
}

function rangeOutputs(variable: Variable): Output[] {
  const kinds: Statistic["kind"][] = ["count", "distinct", ...(hasOrder(variable) ? (["min", "max"] as const) : [])];
  return [rowCount, ...kinds.map((kind) => statisticOutput({ kind } as Statistic, variable))];
}

/**
 * A query for the number of values of each result for every combination of values of the parameters `by` (none: all
 * parameters), in their order.
 */
export function countsQuery(by: readonly string[], experiment: Experiment): LogicalPlan {
  const names = (role: Variable["role"]): string[] =>
    experiment.variables.filter((each) => each.role === role).map(({ name }) => name);
  return plan(
    { results: names("result"), by: by.length === 0 ? names("parameter") : by, statistics: ["count"] },
    experiment,
  );
}
