import type { Experiment } from "../../core/experiments/experiment.ts";
import { Failure } from "../../core/failures/failure.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { findVariable, plan, type Query, type Question } from "../plan/query.ts";
import { isSampleNumber } from "../plan/replicate-index.ts";
import { placeInRun } from "../plan/run-variables.ts";
import type { RunPlace } from "./finding.ts";

/** Results of one occurrence with the parameters that make their sets, and the statement that brings both. */
export interface MinePlan {
  readonly results: readonly Variable[];
  /** Parameters of data sets are columns of the statement, those of runs are looked up. */
  readonly parameters: readonly Variable[];
  /** Columns: run, place in the run (of data sets only), parameters of data sets, results. */
  readonly query: Query;
}

/** Contents of these types differ from run to run by nature: they say when, not under which conditions. */
const times: readonly Variable["type"][] = ["date", "timestamp", "timeofday", "text", "binary"];

/**
 * A plan for results of data sets, one for those of runs, as far as there are any. Fails with `no-numbers`,
 * `no-parameter` and those of `plan`.
 */
export function minePlans(question: Question, experiment: Experiment): MinePlan[] {
  const results = resultsOf(question.results ?? [], experiment);
  const by = question.by?.map((name) => parameterOf(name, experiment));
  return (["multiple", "once"] as const).flatMap((occurrence) => {
    const own = results.filter((result) => result.occurrence === occurrence);
    return own.length === 0 ? [] : [planOf(own, by, occurrence, question, experiment)];
  });
}

function planOf(
  results: readonly Variable[],
  by: readonly Variable[] | undefined,
  occurrence: Variable["occurrence"],
  { results: _, by: __, ...rest }: Question,
  experiment: Experiment,
): MinePlan {
  const all = by ?? experiment.variables.filter(isSetting);
  const parameters = all.filter((parameter) => occurrence === "multiple" || parameter.occurrence === "once");
  const places = occurrence === "multiple" ? [placeInRun] : [];
  const columns = [
    findVariable("@run", experiment),
    ...places,
    ...parameters.filter((each) => each.occurrence === "multiple"),
    ...results,
  ];
  const asked = plan({ ...rest, results: results.map(({ name }) => name) }, experiment);
  if (occurrence === "once" && asked.of === "data") throw needsRuns(results);
  return {
    results,
    parameters,
    query: { ...asked, outputs: columns.map((variable) => ({ variable, source: variable })) },
  };
}

function isSetting(variable: Variable): boolean {
  return variable.role === "parameter" && !times.includes(variable.type) && !isSampleNumber(variable);
}

function needsRuns(results: readonly Variable[]): Failure {
  return new Failure("unusable-combination", {
    what: `a condition on data sets does not choose among contents of runs (${results.map(({ name }) => name).join(", ")})`,
    instead: "name results of data sets, or set conditions on parameters of runs",
  });
}

function resultsOf(names: readonly string[], experiment: Experiment): Variable[] {
  const numbers = experiment.variables.filter(
    ({ role, type }) => role === "result" && /^(?:integer|float|duration)$/.test(type),
  );
  const known = numbers.map(({ name }) => name).join(", ");
  if (numbers.length === 0) throw new Failure("no-numbers", { experiment: experiment.name });
  const found = names.map((name) => {
    const variable = findVariable(name, experiment);
    if (!numbers.includes(variable)) throw new Failure("no-numbers", { variable: name, known });
    return variable;
  });
  return found.length === 0 ? numbers : [...new Set(found)];
}

function parameterOf(name: string, experiment: Experiment): Variable {
  const variable = findVariable(name, experiment);
  if (variable.role === "parameter" && experiment.variables.includes(variable)) return variable;
  const known = experiment.variables.filter(({ role }) => role === "parameter").map((each) => each.name);
  throw new Failure("no-parameter", { variable: name, known: nearest(name, known).join(", ") || known.join(", ") });
}

/** What is known of a run before its values are. */
export interface DatedRun {
  readonly number: number;
  readonly version?: VersionId;
  /** Microseconds since 1970. */
  readonly performed: number;
}

/** By the time of the measurement; by number where that is one. */
export function inTime(runs: readonly DatedRun[]): DatedRun[] {
  return runs.toSorted((a, b) => a.performed - b.performed || a.number - b.number);
}

/**
 * By the place of the version in the history (oldest first), then by time. Runs whose version it does not have are left
 * out.
 */
export function inHistory(runs: readonly DatedRun[], history: readonly VersionId[]): DatedRun[] {
  const places = new Map(history.map((id, place) => [id, place]));
  const placeOf = ({ version }: DatedRun): number => (version === undefined ? undefined : places.get(version)) ?? -1;
  return inTime(runs.filter((run) => placeOf(run) >= 0)).sort((a, b) => placeOf(a) - placeOf(b));
}

export function placeOf({ number, version }: DatedRun): RunPlace {
  return { number, ...(version === undefined ? {} : { commit: version }) };
}
