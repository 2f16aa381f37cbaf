import type { Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { displayText } from "../../query/description/index.ts";
import { runQueries } from "../../query/export/index.ts";
import { findColumn, type FindColumn, always, type LogicalPlan } from "../../query/plan/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import type { DistinctValues } from "../../store/sql/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { factOf, findRuns, type FindOptions } from "./find-runs.ts";

/** Values of one run. The first column of both tables is the run number. */
export interface RunValues {
  readonly run: number;
  /** One row; absent if not requested or without such variables. */
  readonly once?: Table;
  /** One row per row of the run. */
  readonly multiple?: Table;
}

export type ValueKind = "all" | "once" | "multiple";

type Stored = Awaited<ReturnType<Experiments["find"]>>;

/** Values of runs (deleted ones too), restricted to variables of the requested kind. */
export async function runValues(
  experiments: Experiments,
  stored: Stored,
  runs: readonly number[],
  variables: readonly Variable[],
  kind: ValueKind,
): Promise<RunValues[]> {
  const names = (occurrence: "once" | "multiple"): string[] =>
    kind === "all" || kind === occurrence
      ? variables.filter((variable) => variable.occurrence === occurrence).map(({ name }) => name)
      : [];
  const found: RunValues[] = [];
  for (const run of runs) {
    const ask = async (
      occurrence: "once" | "multiple",
      query: LogicalPlan | undefined,
    ): Promise<{ once?: Table; multiple?: Table }> =>
      query === undefined || names(occurrence).length === 0
        ? {}
        : { [occurrence]: await experiments.select(stored, { ...query, runs: [run], deleted: true }) };
    const queries = runQueries({ variables: [...names("once"), ...names("multiple")], where: [] }, stored.experiment);
    found.push({ run, ...(await ask("once", queries.once)), ...(await ask("multiple", queries.rows)) });
  }
  return found;
}

/** Runs as perfbase lists them, one text per column. */
export type RunTexts = readonly (readonly string[])[];

/** Finds runs; texts are parallel to the columns. Fails like `findRuns`. */
export async function listRuns(workspace: Workspace, options: FindOptions): Promise<RunTexts> {
  const { columns, runs } = await findRuns(workspace, options);
  return runs.map(({ cells }) =>
    columns.map((column, at) => cellText(column, cells[at] ?? { values: [], distinct: 0 })),
  );
}

function cellText(column: FindColumn, { values, distinct }: DistinctValues): string {
  const texts = values.map((value) => displayText(value, column.type));
  if ("fact" in column) return column.fact === "files" ? pythonList(texts) : (texts[0] ?? "");
  if (column.variable.occurrence === "once") return texts[0] ?? "None";
  if (distinct === 0) return "#no_data#";
  return values.length < distinct ? `#${distinct}values#` : texts.join("|");
}

function pythonList(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`).join(", ")}]`;
}

/** Distinct values of one column in active runs, ascending. */
interface ColumnValues {
  readonly isFact: boolean;
  readonly texts: readonly string[];
}

/** Distinct values of columns. Fails with `unknown-variable`. */
export async function listValues(
  workspace: Workspace,
  { experiment, columns, database }: Pick<FindOptions, "experiment" | "columns" | "database">,
): Promise<ColumnValues[]> {
  return withExperiment(workspace, { experiment, database }, "read", async (stored, experiments) => {
    const runs = await experiments.runs(stored, false);
    const found: ColumnValues[] = [];
    for (const column of columns.map((name) => findColumn(name, stored.experiment))) {
      const texts = (values: readonly Value[]): string[] => values.map((value) => displayText(value, column.type));
      if ("variable" in column)
        found.push({ isFact: false, texts: texts(await experiments.distinct(stored, column.variable, always)) });
      else {
        const cells = runs.map((run) => cellText(column, factOf(run, column.fact)));
        found.push({ isFact: true, texts: [...new Set(cells)].toSorted() });
      }
    }
    return found;
  });
}
