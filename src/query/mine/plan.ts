import type { Experiment } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import {
  findVariable,
  plan,
  type LogicalPlan,
  type QuerySpec,
  isReplicateIndex,
  rowNumberInRun,
  valueOutput,
} from "../plan/index.ts";
import type { OrderedRun } from "./finding.ts";

/** Results of one occurrence with the parameters of their sets, and the query for both. */
export interface MinePlan {
  readonly results: readonly Variable[];
  /** Row parameters are columns of the query; run parameters are looked up. */
  readonly parameters: readonly Variable[];
  /** Columns: run, row number in the run (rows only), row parameters, results. */
  readonly query: LogicalPlan;
}

/** Types that differ between runs by nature: they describe the time, not the conditions. */
const times: readonly Variable["type"][] = ["date", "timestamp", "timeofday", "text", "binary"];

/**
 * A plan for row results and a plan for run results, as far as they exist. Fails with `no-numbers`, `no-parameter` and
 * like `plan`.
 */
export function minePlans(question: QuerySpec, experiment: Experiment): MinePlan[] {
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
  { results: _, by: __, ...rest }: QuerySpec,
  experiment: Experiment,
): MinePlan {
  const all = by ?? experiment.variables.filter(isSetting);
  const parameters = all.filter((parameter) => occurrence === "multiple" || parameter.occurrence === "once");
  const positions = occurrence === "multiple" ? [rowNumberInRun] : [];
  const columns = [
    findVariable("@run", experiment),
    ...positions,
    ...parameters.filter((each) => each.occurrence === "multiple"),
    ...results,
  ];
  const asked = plan({ ...rest, results: results.map(({ name }) => name) }, experiment);
  if (occurrence === "once" && asked.of === "data") throw needsRuns(results);
  return {
    results,
    parameters,
    query: { ...asked, outputs: columns.map(valueOutput) },
  };
}

function isSetting(variable: Variable): boolean {
  return variable.role === "parameter" && !times.includes(variable.type) && !isReplicateIndex(variable);
}

function needsRuns(results: readonly Variable[]): Failure {
  return new Failure("unusable-combination", {
    what: `a condition on rows cannot select run values (${results.map(({ name }) => name).join(", ")})`,
    instead: "name results of rows, or use conditions on parameters of runs",
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

/** A run with its date, before its values are read. */
export interface DatedRun {
  readonly number: number;
  readonly version?: VersionId;
  /** Microseconds since 1970. */
  readonly performed: number;
}

/** Sorts by time of measurement, equal ones by number. */
export function inTime(runs: readonly DatedRun[]): DatedRun[] {
  return runs.toSorted((a, b) => a.performed - b.performed || a.number - b.number);
}

/**
 * Sorts by the position of the version in history (oldest first), then by time. Omits runs whose version is not in it.
 */
export function inHistory(runs: readonly DatedRun[], history: readonly VersionId[]): DatedRun[] {
  const positions = new Map(history.map((id, position) => [id, position]));
  const orderedRun = ({ version }: DatedRun): number =>
    (version === undefined ? undefined : positions.get(version)) ?? -1;
  return inTime(runs.filter((run) => orderedRun(run) >= 0)).sort((a, b) => orderedRun(a) - orderedRun(b));
}

export function orderedRunOf({ number, version }: DatedRun): OrderedRun {
  return { number, ...(version === undefined ? {} : { commit: version }) };
}
