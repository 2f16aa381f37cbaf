import type { Table } from "../../core/tables/table.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { displayText } from "../../query/description/display-text.ts";
import { runQueries } from "../../query/export/export-queries.ts";
import { findColumn, type FindColumn } from "../../query/plan/find-runs.ts";
import { always } from "../../query/plan/predicate.ts";
import type { Query } from "../../query/plan/query.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import type { DistinctContents } from "../../store/sql/values-per-run.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { factOf, findRuns, type FindOptions } from "./find-runs.ts";

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

/** Runs as perfbase lists them: a text per column. */
export type RunTexts = readonly (readonly string[])[];

/** Finds runs; the texts are parallel to the columns asked for. Fails like `findRuns`. */
export async function listRuns(workspace: Workspace, options: FindOptions): Promise<RunTexts> {
  const { columns, runs } = await findRuns(workspace, options);
  return runs.map(({ cells }) =>
    columns.map((column, at) => cellText(column, cells[at] ?? { contents: [], distinct: 0 })),
  );
}

function cellText(column: FindColumn, { contents, distinct }: DistinctContents): string {
  const texts = contents.map((content) => displayText(content, column.type));
  if ("fact" in column) return column.fact === "files" ? pythonList(texts) : (texts[0] ?? "");
  if (column.variable.occurrence === "once") return texts[0] ?? "None";
  if (distinct === 0) return "#no_data#";
  return contents.length < distinct ? `#${distinct}values#` : texts.join("|");
}

function pythonList(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`).join(", ")}]`;
}

/** The different contents of one column that active runs have, ascending. */
interface ColumnContents {
  readonly isFact: boolean;
  readonly texts: readonly string[];
}

/** Fails with `unknown-variable`. */
export async function listContents(
  workspace: Workspace,
  { experiment, columns, database }: Pick<FindOptions, "experiment" | "columns" | "database">,
): Promise<ColumnContents[]> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) => {
    const stored = await experiments.find(experiment);
    const runs = await experiments.runs(stored, false);
    const found: ColumnContents[] = [];
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
