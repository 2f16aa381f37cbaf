import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import { takeRows } from "../../core/tables/table-rows.ts";
import type { Table } from "../../core/tables/table.ts";
import { withAmountUnit } from "../../query/profile/amount-unit.ts";
import { chosenColumns, rowsWhere } from "../../query/profile/selected-rows.ts";
import { modelCurves } from "../../query/profile/model-curves.ts";
import { flatModels, flatResources } from "../../query/profile/flat-rows.ts";
import { foldedStacks } from "../../query/profile/folded-stacks.ts";
import { dependentKey, keysOf, distinctValues } from "../../query/profile/keys.ts";
import { plotPoints } from "../../query/profile/points.ts";
import { ParquetRows } from "../../store/export/parquet.ts";
import { Locator, type Confirm } from "../../workspace/profiles/locate.ts";
import { readRun } from "../../workspace/profiles/read-run.ts";
import { withScratchDatabase } from "../../workspace/experiments/scratch-database.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** What of a profile is wanted as a table. */
export const profileParts = ["resources", "models", "keys", "values", "points", "curves", "stacks"] as const;

export type ProfilePart = (typeof profileParts)[number];

export interface ConvertProfileOptions {
  readonly profile: string;
  readonly part: ProfilePart;
  /** Version whose index names are looked up in; the head when absent. */
  readonly minor?: string;
  readonly confirm: Confirm | null;
  /** Conditions on rows; all must hold. Those of `models` and `curves` are about models, all others about resources. */
  readonly where: readonly string[];
  /** Of `resources` and `models`: the columns wanted; all without any. */
  readonly columns: readonly string[];
  /** Of `values`, `points` and `stacks`: the column that is told; amount when absent. */
  readonly of?: string;
  /** Of `points`. */
  readonly per?: string;
  readonly by?: string;
  readonly statistic?: string;
  /** Of `points` and `stacks`: only these rows; else there has to be only one quantity that adds up. */
  readonly subtype?: string;
  /** Of `stacks`: Perun's, also where they are odd. */
  readonly compat?: string;
}

/**
 * A profile, or a part of it, as a table of numbers and texts. Fails with `profile-not-found`, `unknown-column`,
 * `bad-condition` and their like.
 */
export async function convertProfile(workspace: Workspace, options: ConvertProfileOptions): Promise<Table> {
  const version = (): Promise<VersionId> => workspace.version(options.minor);
  const run = readRun(workspace, await new Locator(workspace, options.confirm).one(options.profile, version));
  const { part, where, columns, of, per, by, statistic, subtype } = options;
  if (part === "models") return chosenColumns(kept(flatModels(run), where), columns);
  if (part === "curves") return modelCurves(modelsWhere(run, where), flatResources(run));
  if (part === "stacks")
    return foldedStacks(
      withAmountUnit(rowsOf(run, where), run, subtype),
      of ?? dependentKey,
      options.compat === "perun",
      subtype,
    );
  const rows = kept(flatResources(run), where);
  if (part === "keys") return keysOf(rows);
  if (part === "values") return distinctValues(rows, of ?? dependentKey);
  if (part === "resources") return chosenColumns(rows, columns);
  const plan = { of, per, by, statistic, subtype };
  return plotPoints(
    withAmountUnit(rows, run, subtype),
    Object.fromEntries(Object.entries(plan).filter(([, word]) => word !== undefined)),
  );
}

function kept(table: Table, where: readonly string[]): Table {
  return where.length === 0 ? table : takeRows(table, rowsWhere(table, where));
}

/** Not taken apart. */
function rowsOf(run: Run, where: readonly string[]): Table {
  return where.length === 0 ? run.data : takeRows(run.data, rowsWhere(flatResources(run), where));
}

function modelsWhere(run: Run, where: readonly string[]): Run["models"] {
  const rows = where.length === 0 ? null : rowsWhere(flatModels(run), where);
  return rows === null ? run.models : [...rows].map((row) => run.models[row]!);
}

/**
 * Hands out a table as the bytes of a Parquet file, piece by piece. Fails with `nothing-to-draw` for a table without
 * columns.
 */
export async function tableAsParquet(
  workspace: Workspace,
  table: Table,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  if (table.variables.length === 0) throw new Failure("nothing-to-draw", { what: "there are no columns" });
  await withScratchDatabase(workspace, async (engine, folder) => {
    const rows = await ParquetRows.create(engine, table.variables);
    await rows.append(table);
    const path = `${folder}/profile.parquet`;
    await rows.write(path, "");
    for await (const bytes of workspace.files.stream(path)) take(bytes);
  });
}
