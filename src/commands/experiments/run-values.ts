import type { Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { runQueries } from "../../query/export/export-queries.ts";
import type { Query } from "../../query/plan/query.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";

/** The contents of one run. The first column of both tables is its number. */
export interface RunContents {
  readonly run: number;
  /** One row. Absent: not asked for, or there are no such variables. */
  readonly once?: Table;
  /** One row per data set. */
  readonly multiple?: Table;
}

export type ContentKind = "all" | "once" | "multiple";

type Stored = Awaited<ReturnType<Experiments["find"]>>;

/** Of these variables of the experiment only those of the kind asked for. Runs may be deleted ones. */
export async function runContents(
  experiments: Experiments,
  stored: Stored,
  runs: readonly number[],
  variables: readonly Variable[],
  kind: ContentKind,
): Promise<RunContents[]> {
  const names = (occurrence: "once" | "multiple"): string[] =>
    kind === "all" || kind === occurrence
      ? variables.filter((variable) => variable.occurrence === occurrence).map(({ name }) => name)
      : [];
  const found: RunContents[] = [];
  for (const run of runs) {
    const ask = async (
      occurrence: "once" | "multiple",
      query: Query | undefined,
    ): Promise<{ once?: Table; multiple?: Table }> =>
      query === undefined || names(occurrence).length === 0
        ? {}
        : { [occurrence]: await experiments.select(stored, { ...query, runs: [run], deleted: true }) };
    const queries = runQueries({ variables: [...names("once"), ...names("multiple")], where: [] }, stored.experiment);
    found.push({ run, ...(await ask("once", queries.once)), ...(await ask("multiple", queries.rows)) });
  }
  return found;
}
