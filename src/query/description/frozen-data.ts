import { isPlain, valueAt } from "../../core/tables/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { compareValues, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { SourceData } from "./evaluate.ts";
import { runRows, type Predicate } from "../plan/index.ts";

/** A unique key of a version selection. */
export function choiceKey(choice: Parameters<SourceData["versions"]>[0]): string {
  const { commit, branch, firstParent, since, until } = choice;
  return JSON.stringify([commit ?? null, branch ?? null, firstParent ?? false, since ?? null, until ?? null]);
}

/** Key of the order of versions, next to keys of selections. */
export const historyKey = "history";

/** The data of an experiment limited to these runs, with version selections resolved as recorded. */
export function frozenData(
  data: SourceData,
  runs: readonly number[],
  choices: ReadonlyMap<string, readonly string[]>,
): SourceData {
  const kept = new Set(runs);
  const rows: SourceData["rows"] = (plan) =>
    data.rows({ ...plan, runs: plan.runs?.filter((run) => kept.has(run)) ?? runs });
  return {
    ...data,
    rows,
    runs: async () => (await data.runs()).filter(({ number }) => kept.has(number)),
    history: async () => (choices.get(historyKey) ?? []) as readonly VersionId[],
    versions: async (choice) => new Set(choices.get(choiceKey(choice)) as readonly VersionId[] | undefined),
    distinct: (variable, condition) => distinct(rows, variable, condition),
  };
}

/** Distinct values, ascending, as databases sort them. */
async function distinct(rows: SourceData["rows"], variable: Variable, condition: Predicate): Promise<Value[]> {
  const { table } = await rows(
    runRows([variable], { of: variable.occurrence === "once" ? "runs" : "data", where: condition }),
  );
  const column = table.columns[1];
  if (column === undefined || !isPlain(column)) return [];
  const values = new Map<string, Value>();
  for (let row = 0; row < table.length; row++) {
    const value = valueAt(column, row, variable.type);
    if (value !== null) values.set(String(value), value);
  }
  return [...values.values()].sort((a, b) => compareValues(a, b, variable.type));
}
