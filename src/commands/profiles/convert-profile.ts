import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { takeRows, type Table } from "../../core/tables/index.ts";
import {
  withAmountUnit,
  chosenColumns,
  rowsWhere,
  modelCurves,
  flatModels,
  flatResources,
  foldedStacks,
  dependentKey,
  keysOf,
  distinctValues,
  plotPoints,
} from "../../query/profile/index.ts";
import { ParquetRows } from "../../store/export/index.ts";
import { Locator, type Confirm, readRun } from "../../workspace/profiles/index.ts";
import { withScratchDatabase } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Parts of a profile that can be converted to a table. */
export const profileParts = ["resources", "models", "keys", "values", "points", "curves", "stacks"] as const;

export type ProfilePart = (typeof profileParts)[number];

export interface ConvertProfileOptions {
  readonly profile: string;
  readonly part: ProfilePart;
  /** Commit whose index resolves profile names; default: the head. */
  readonly minor?: string;
  readonly confirm: Confirm | null;
  /** Row conditions, all required; on models for `models` and `curves`, else on resources. */
  readonly where: readonly string[];
  /** For `resources` and `models`: the columns; empty: all. */
  readonly columns: readonly string[];
  /** For `values`, `points` and `stacks`: the value column; default: amount. */
  readonly of?: string;
  /** For `points`. */
  readonly per?: string;
  readonly by?: string;
  readonly statistic?: string;
  /** For `points` and `stacks`: subtype of rows; required if several quantities add up. */
  readonly subtype?: string;
  /** For `stacks`: `perun` reproduces Perun's stacks, including its defects. */
  readonly compat?: string;
}

/**
 * Converts a part of a profile to a table. Fails with `profile-not-found`, `unknown-column`, `bad-condition` and
 * similar failures.
 */
export async function convertProfile(workspace: Workspace, options: ConvertProfileOptions): Promise<Table> {
  const version = (): Promise<VersionId> => workspace.version(options.minor);
  const run = readRun(workspace, await new Locator(workspace, options.confirm).one(options.profile, version));
  const { part, where, columns, of, per, by, statistic, subtype } = options;
  if (part === "models") return chosenColumns(matchingRows(flatModels(run), where), columns);
  if (part === "curves") return modelCurves(modelsWhere(run, where), flatResources(run));
  if (part === "stacks")
    return foldedStacks(
      withAmountUnit(rowsOf(run, where), run, subtype),
      of ?? dependentKey,
      options.compat === "perun",
      subtype,
    );
  const rows = matchingRows(flatResources(run), where);
  if (part === "keys") return keysOf(rows);
  if (part === "values") return distinctValues(rows, of ?? dependentKey);
  if (part === "resources") return chosenColumns(rows, columns);
  const plan = { of, per, by, statistic, subtype };
  return plotPoints(
    withAmountUnit(rows, run, subtype),
    Object.fromEntries(Object.entries(plan).filter(([, word]) => word !== undefined)),
  );
}

function matchingRows(table: Table, where: readonly string[]): Table {
  return where.length === 0 ? table : takeRows(table, rowsWhere(table, where));
}

/** Matching rows in stored form. */
function rowsOf(run: Run, where: readonly string[]): Table {
  return where.length === 0 ? run.data : takeRows(run.data, rowsWhere(flatResources(run), where));
}

function modelsWhere(run: Run, where: readonly string[]): Run["models"] {
  const rows = where.length === 0 ? null : rowsWhere(flatModels(run), where);
  return rows === null ? run.models : [...rows].map((row) => run.models[row]!);
}

/** Streams a table as a Parquet file. Fails with `nothing-to-draw` for a table without columns. */
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
