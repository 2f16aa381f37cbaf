import type { Experiment } from "../../core/experiments/experiment.ts";
import { Failure } from "../../core/failures/failure.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { parseStatistic, statisticOf, type Statistic, hasOrder } from "../statistics/statistic.ts";
import { parseConditions, variablesOf, type Conditions } from "./condition.ts";
import { runVariables } from "./run-variables.ts";

/** A question to one experiment in the user's words. Everything may be left out: no results means all variables. */
export interface Question {
  /** Names of the variables whose contents (or statistics) are asked for. */
  readonly results?: readonly string[];
  /** Names of the variables to group by; they come first in the answer. */
  readonly by?: readonly string[];
  /** Conditions like `S_size>=1KiByte`, joined by `and` and `or` where there are several in one; all must hold. */
  readonly where?: readonly string[];
  /** Names of statistics; none: every data set is a row of the answer. */
  readonly statistics?: readonly string[];
  /** Only runs that measured one of these versions. */
  readonly versions?: readonly VersionId[];
  /** Only these runs, by number. */
  readonly runs?: readonly number[];
  /**
   * Names of columns of the answer, `-name` for descending. Groups are otherwise in order of `by`, data sets as they
   * were imported.
   */
  readonly sort?: readonly string[];
  readonly limit?: number;
}

/** A question whose names have been looked up and checked: what a database needs to answer it. */
export interface Query {
  readonly outputs: readonly Output[];
  /** True when rows are made one per group of equal keys. */
  readonly grouped: boolean;
  readonly where: readonly Conditions[];
  readonly versions?: readonly VersionId[];
  readonly runs?: readonly number[];
  readonly sort: readonly SortKey[];
  readonly limit?: number;
  /** Of `runs`, those that were deleted count as well. */
  readonly deleted?: boolean;
  /** Only data sets with these places in their run, both ends included. */
  readonly ordinals?: { readonly first: number; readonly last: number };
  /** What a row is made from: data sets, or runs where only once variables are asked for. */
  readonly of: "data" | "runs";
}

/** One column of the answer. */
export interface Output {
  /** Name, type and unit as the answer has them. */
  readonly variable: Variable;
  /** The variable it comes from; none for the count of rows. */
  readonly source?: Variable;
  /** Absent: the content itself. */
  readonly statistic?: Statistic;
}

export interface SortKey {
  /** Index into the outputs. */
  readonly output: number;
  readonly descending: boolean;
}

/** Looks up and checks the names of a question. Fails with `unknown-variable` and friends, naming what comes near. */
export function plan(question: Question, experiment: Experiment): Query {
  const by = (question.by ?? []).map((name) => findVariable(name, experiment));
  const statistics = (question.statistics ?? []).map(parseStatistic);
  const named = (question.results ?? []).map((name) => findVariable(name, experiment));
  const where = (question.where ?? []).map((text) => parseConditions(text, (name) => findVariable(name, experiment)));
  const grouped = by.length > 0 || statistics.length > 0;
  const outputs = grouped
    ? unique([...by.map(asIs), ...statisticOutputs(statistics, named, experiment)])
    : unique((named.length > 0 ? named : experiment.variables).map(asIs));
  if (outputs.length === 0) throw new Failure("no-numbers", { experiment: experiment.name });
  const used = [...outputs.flatMap((output) => output.source ?? []), ...where.flatMap(variablesOf)];
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

/** Variables of the experiment, without regard to case; then what every run knows (`run`, `commit`, …). */
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

function asIs(variable: Variable): Output {
  return { variable, source: variable };
}

/** Without results every result that can have the statistic; a count without results counts rows. */
function statisticOutputs(
  statistics: readonly Statistic[],
  named: readonly Variable[],
  experiment: Experiment,
): Output[] {
  const wanted = statistics.length > 0 || named.length === 0 ? statistics : [{ kind: "mean" } as const];
  return wanted.flatMap((statistic) => {
    if (named.length > 0) return named.map((of) => ({ variable: statisticOf(statistic, of), source: of, statistic }));
    if (statistic.kind === "count") return [rowCount];
    const possible = experiment.variables.filter((variable) => variable.role === "result" && numbersOnly(variable));
    return possible.map((of) => ({ variable: statisticOf(statistic, of), source: of, statistic }));
  });
}

/** Of a group, or of all there is. */
export const rowCount: Output = {
  variable: { name: "count", role: "result", occurrence: "multiple", type: "integer" },
  statistic: { kind: "count" },
};

/** How many runs measured each version, in order of their ids. */
export const runsByCommit: Query = {
  outputs: [...runVariables.filter(({ name }) => name === "commit").map(asIs), rowCount],
  grouped: true,
  where: [],
  sort: [],
  of: "runs",
};

/** The runs that have a part in the answer, by number. */
export function runsOf({ sort: _, limit: __, ...query }: Query): Query {
  const number = runVariables.filter(({ name }) => name === "run").map(asIs);
  return { ...query, outputs: [...number, rowCount], grouped: true, sort: [] };
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
