import type { Experiment } from "../../core/experiments/experiment.ts";
import { variablesOf, type Conditions } from "../plan/condition.ts";
import { plan, type Output, type Query } from "../plan/query.ts";
import { runVariables } from "../plan/run-variables.ts";

/** Names of the variables asked for (none: all), and conditions that must hold. */
export interface ExportQuestion {
  readonly variables: readonly string[];
  readonly where: readonly string[];
}

/** Runs with their own contents, and their data sets; both begin with the number of the run. */
export interface RunQueries {
  readonly once: Query;
  /** Absent when no variable is asked for that data sets have. */
  readonly rows?: Query;
  /** A condition looks at data sets: runs without any that fits are none of the answer. */
  readonly needsRows: boolean;
}

/**
 * One row per data set with the contents of its run repeated; where all is asked for, the number of the run comes
 * first.
 */
export function flatQuery(question: ExportQuestion, experiment: Experiment): Query {
  const asked = ask(question, experiment);
  if (question.variables.length > 0) return asked;
  return { ...asked, outputs: [numberOf(asked.outputs), ...asked.outputs] };
}

/** Fails with `unknown-variable`, `bad-condition`, like `plan`. */
export function runQueries(question: ExportQuestion, experiment: Experiment): RunQueries {
  const asked = ask(question, experiment);
  const number = numberOf(asked.outputs);
  const part = (occurrence: "once" | "multiple"): Output[] =>
    asked.outputs.filter(({ source }) => source?.occurrence === occurrence && source !== number.source);
  const isOnce = (conditions: Conditions): boolean =>
    variablesOf(conditions).every(({ occurrence }) => occurrence === "once");
  const needsRows = !asked.where.every(isOnce);
  const hasRows = needsRows || part("multiple").length > 0;
  return {
    once: { ...asked, of: "runs", outputs: [number, ...part("once")], where: asked.where.filter(isOnce) },
    ...(hasRows ? { rows: { ...asked, of: "data", outputs: [number, ...part("multiple")] } } : {}),
    needsRows,
  };
}

function ask({ variables, where }: ExportQuestion, experiment: Experiment): Query {
  return plan({ results: variables, where }, experiment);
}

/** `@run` where the experiment has a variable of that name. */
function numberOf(outputs: readonly Output[]): Output {
  const source = runVariables.find(({ name }) => name === "run");
  if (source === undefined) throw new RangeError("runs have no number");
  const isTaken = outputs.some(
    ({ variable, source: other }) => variable.name.toLowerCase() === "run" && other !== source,
  );
  return { variable: isTaken ? { ...source, name: "@run" } : source, source };
}
