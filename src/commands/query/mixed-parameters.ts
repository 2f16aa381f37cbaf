import type { Experiment } from "../../core/experiments/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import { valueAt } from "../../core/tables/index.ts";
import { compareValues } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { isReplicateIndex } from "../../query/plan/index.ts";
import { hasOrder } from "../../query/statistics/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/index.ts";
import type { QueryOptions } from "./query-result.ts";
import { queryRows } from "./query.ts";

/**
 * The parameters with several values in a group of a query: its statistics combine values that were measured under
 * different conditions. Replicate indexes are not conditions.
 */
export async function mixedParameters(workspace: Workspace, options: QueryOptions): Promise<string[]> {
  const { by = [], experiment, database, join } = options;
  if ((options.statistics ?? []).length === 0) return [];
  const experiments = await withExperiments(workspace, experimentHome(workspace, database), "read", async (all) => [
    (await all.find(experiment)).experiment,
    ...(join === undefined ? [] : [(await all.find(join.experiment)).experiment]),
  ]);
  const others = experiments
    .filter((each) => hasResultOf(each, options))
    .flatMap((each, at) =>
      otherParameters(each, { options, by, isQualified: experiments.length > 1, isLater: at > 0 }),
    );
  if (others.length === 0) return [];
  const { sort: _, limit: __, profiles: ___, ...rest } = options;
  try {
    const { table } = await queryRows(
      workspace,
      { ...rest, results: others, statistics: ["min", "max"] },
      new History(workspace),
    );
    // Columns: the groups, then the minimum of each parameter, then the maximum of each.
    const from = table.columns.length - 2 * others.length;
    const isMixed = (at: number): boolean => {
      const [least, greatest] = [table.columns[from + at], table.columns[from + others.length + at]];
      const { type } = table.variables[from + at] as Variable;
      if (least === undefined || greatest === undefined || least.kind === "interned" || greatest.kind === "interned")
        return false;
      for (let row = 0; row < table.length; row++) {
        const [a, b] = [valueAt(least, row, type), valueAt(greatest, row, type)];
        if (a !== null && b !== null && compareValues(a, b, type) !== 0) return true;
      }
      return false;
    };
    return others.filter((_name, at) => isMixed(at));
  } catch (error) {
    if (isFailure(error, "nothing-selected")) return [];
    throw error;
  }
}

/** Whether a statistic is one of this experiment's values; parameters of the other do not matter to it. */
function hasResultOf({ name: experiment, variables }: Experiment, { results = [] }: QueryOptions): boolean {
  const names = new Set(variables.flatMap(({ name }) => [name.toLowerCase(), `${experiment}.${name}`.toLowerCase()]));
  return results.some((name) => names.has(name.toLowerCase()));
}

interface Grouping {
  readonly options: QueryOptions;
  readonly by: readonly string[];
  readonly isQualified: boolean;
  /** Keys of a join are those of an earlier experiment already. */
  readonly isLater: boolean;
}

/** Parameters that are not constant in a group by their name; of a join, with the experiment's name, keys once. */
function otherParameters({ name: experiment, variables }: Experiment, grouping: Grouping): string[] {
  const { options, by, isQualified, isLater } = grouping;
  const isSecond = options.join?.experiment.toLowerCase() === experiment.toLowerCase();
  const held = new Set(by.map((word) => word.toLowerCase()));
  for (const word of options.join?.on ?? []) {
    const [own = "", other = own] = word.toLowerCase().split("=");
    if (isLater || held.has(own) || held.has(other)) held.add(isSecond ? other : own);
  }
  return variables
    .filter((variable) => variable.role === "parameter" && hasOrder(variable) && !isReplicateIndex(variable))
    .filter(({ name }) => !held.has(name.toLowerCase()) && !held.has(`${experiment}.${name}`.toLowerCase()))
    .map(({ name }) => (isQualified ? `${experiment}.${name}` : name));
}
