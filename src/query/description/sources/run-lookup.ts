import { variableOf, type Experiment } from "../../../core/experiments/experiment.ts";
import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import { valueAt } from "../../../core/tables/table.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { refuse, type RunFact, type OperatorContext } from "../operators/operator.ts";
import { always } from "../../plan/predicate.ts";
import type { SelectableRun } from "./run-selection.ts";
import type { RowPlan } from "./source-plan.ts";
import type { SourceRows } from "./source-vector.ts";
import { isPlain } from "../vector.ts";

/** Where contents of runs come from. */
export interface RunData {
  readonly experiment: Experiment;
  rows(plan: RowPlan): Promise<SourceRows>;
  /** Whether rows can be limited and summarized where they are, by `limits`, `first` and `summary` of the plan. */
  readonly summarizes?: true;
}

type Lookup = NonNullable<OperatorContext["lookup"]>;

/** What a once parameter or result is in each run. Fails with `unknown-variable`, and for contents of data sets. */
export async function contentsOfRuns(element: OperatorElement, name: string, data: RunData): Promise<Lookup> {
  const variable = variableOf(data.experiment, name);
  if (variable.occurrence !== "once")
    throw refuse(
      element,
      `'${variable.name}' has a content for each data set, not one for each run`,
      "name a parameter that occurs once",
    );
  const { table } = await data.rows({
    variables: [variable],
    once: always,
    multiple: always,
    chronology: "created",
    of: "runs",
  });
  const [runs, values] = table.columns;
  const found = new Map<number, ReturnType<typeof valueAt>>();
  if (runs?.kind === "number" && values && isPlain(values))
    for (let row = 0; row < table.length; row++)
      found.set(runs.values[row] ?? -1, valueAt(values, row, variable.type));
  return { variable, contents: found };
}

/** What is known of each run by itself. */
export function factsOf(fact: RunFact, runs: readonly SelectableRun[]): Lookup {
  const isTime = fact === "created" || fact === "performed";
  const variable: Variable = { name: fact, role: "result", occurrence: "once", type: isTime ? "timestamp" : "string" };
  return { variable, contents: new Map(runs.map((run) => [run.number, run[fact] ?? null])) };
}

/** The numbers of runs in the order in which they were created or performed, ties by number. */
export function runChronology(runs: readonly SelectableRun[], by: RowPlan["chronology"]): number[] {
  return [...runs].sort((a, b) => a[by] - b[by] || a.number - b.number).map((run) => run.number);
}
