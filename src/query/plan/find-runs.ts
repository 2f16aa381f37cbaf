import { Failure } from "../../core/failures/index.ts";
import type { Experiment } from "../../core/experiments/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { DataType } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { parseConditions } from "./condition.ts";
import { variablesIn, type Predicate } from "./predicate.ts";
import { type LogicalPlan, valueOutput } from "./logical-plan.ts";
import { findVariable, rowCount } from "./query.ts";
import { isRunVariable, numberOfRun } from "./run-variables.ts";

/** A column of a list of runs: a property of every run, or the values of a variable of the experiment. */
export type FindColumn =
  | { readonly fact: RunFact; readonly name: string; readonly type: DataType }
  | { readonly variable: Variable; readonly name: string; readonly type: DataType };

/** `rows`: number of rows; `inputs`: number of files; `state`: active or deleted. */
export type RunFact =
  | "run"
  | "commit"
  | "dirty"
  | "performed"
  | "created"
  | "performer"
  | "label"
  | "synopsis"
  | "rows"
  | "files"
  | "inputs"
  | "state";

const facts: Readonly<Record<RunFact, DataType>> = {
  run: "integer",
  commit: "string",
  dirty: "boolean",
  performed: "timestamp",
  created: "timestamp",
  performer: "string",
  label: "string",
  synopsis: "string",
  rows: "integer",
  files: "text",
  inputs: "integer",
  state: "string",
};

/** The properties of runs, by their user-facing names. */
const runFacts: readonly RunFact[] = Object.keys(facts).filter(isRunFact);

function isRunFact(name: string): name is RunFact {
  return Object.hasOwn(facts, name);
}

/**
 * The column of that name, case-insensitive; `@name` is the run property if the experiment has a variable of that name.
 * Fails with `unknown-variable`.
 */
export function findColumn(name: string, { name: experiment, variables }: Experiment): FindColumn {
  const key = name.toLowerCase();
  const variable =
    variables.find((each) => each.name === name) ?? variables.find((each) => each.name.toLowerCase() === key);
  if (variable !== undefined) return { variable, name: variable.name, type: variable.type };
  const fact = key.replace(/^@/, "");
  if (isRunFact(fact)) return { fact, name: fact, type: facts[fact] };
  const known = [...variables.map((each) => each.name), ...runFacts];
  throw new Failure("unknown-variable", {
    variable: name,
    experiment,
    near: nearest(name, known).join(", "),
    known: known.join(", "),
  });
}

/**
 * Parses conditions on run values and on a single row of a run; all must hold. Fails with `unknown-variable`,
 * `bad-condition`.
 */
export function findConditions(texts: readonly string[], experiment: Experiment): Predicate[] {
  return texts.map((text) => parseConditions(text, (name) => findVariable(name, experiment)));
}

/** A query for the runs that match all conditions, with the number of their matching rows. */
export function matchingRuns(where: readonly Predicate[], deleted: boolean): LogicalPlan {
  return {
    outputs: [valueOutput(numberOfRun), rowCount],
    grouped: true,
    where,
    sort: [],
    deleted,
    of: where.some(isRowCondition) ? "data" : "runs",
  };
}

/** A query for one row per run with run values. */
export function runValuesQuery(variables: readonly Variable[], deleted: boolean): LogicalPlan {
  const outputs = [numberOfRun, ...variables].map(valueOutput);
  return { outputs, grouped: false, where: [], sort: [], deleted, of: "runs" };
}

/** A query for the distinct values of a variable in the matching rows of each run. */
export function rowValuesQuery(variable: Variable, where: readonly Predicate[], deleted: boolean): LogicalPlan {
  const present: Predicate = { kind: "notnull", variable };
  const outputs = [numberOfRun, variable].map(valueOutput);
  return { outputs, grouped: true, where: [...where, present], sort: [], deleted, of: "data" };
}

/** Whether a condition is on rows. */
export function isRowCondition(conditions: Predicate): boolean {
  return variablesIn(conditions).some((variable) => variable.occurrence === "multiple" && !isRunVariable(variable));
}
