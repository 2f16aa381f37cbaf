import { isPlain, valueAt } from "../../../core/tables/index.ts";
import { variableOf, type Experiment, type OperatorElement } from "../../../core/experiments/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { refuse, type RunFact, type OperatorContext } from "../operators/operator.ts";
import { type Chronology, type LogicalPlan, runRows } from "../../plan/index.ts";
import type { SelectableRun } from "./run-selection.ts";
import type { SourceRows } from "./source-vector.ts";

/** Access to the rows of an experiment. */
export interface RunData {
  readonly experiment: Experiment;
  rows(plan: LogicalPlan): Promise<SourceRows>;
  /** Whether plans may have computed columns, groups, limits and joins. */
  readonly summarizes?: true;
}

type Lookup = NonNullable<OperatorContext["lookup"]>;

/** The values of a run parameter or result by run. Fails with `unknown-variable`, and for variables of rows. */
export async function lookUpRuns(element: OperatorElement, name: string, data: RunData): Promise<Lookup> {
  const variable = variableOf(data.experiment, name);
  if (variable.occurrence !== "once")
    throw refuse(
      element,
      `'${variable.name}' has a value for each row, not one for each run`,
      "name a parameter that occurs once",
    );
  const { table } = await data.rows(runRows([variable], { of: "runs" }));
  const [runs, values] = table.columns;
  const found = new Map<number, ReturnType<typeof valueAt>>();
  if (runs?.kind === "number" && values && isPlain(values))
    for (let row = 0; row < table.length; row++) found.set(runs.values[row] ?? -1, valueAt(values, row, variable.type));
  return { variable, values: found };
}

/** A property of each run. */
export function factsOf(fact: RunFact, runs: readonly SelectableRun[]): Lookup {
  const isTime = fact === "created" || fact === "performed";
  const variable: Variable = { name: fact, role: "result", occurrence: "once", type: isTime ? "timestamp" : "string" };
  return { variable, values: new Map(runs.map((run) => [run.number, run[fact] ?? null])) };
}

/** The numbers of runs by creation or measurement time, ties by number. */
export function runChronology(runs: readonly SelectableRun[], by: Chronology): number[] {
  return [...runs].sort((a, b) => a[by] - b[by] || a.number - b.number).map((run) => run.number);
}
