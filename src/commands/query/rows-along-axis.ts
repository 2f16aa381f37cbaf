import type { VersionId } from "../../core/versions/digest.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { cellNumbers } from "../../query/series/cell-codes.ts";
import type { LeftOutRows, RunVersions } from "../../query/series/measurements.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { History } from "../history/history.ts";
import { ask, type QueryOptions } from "./query.ts";

/** The rows of runs along an axis, and what there is to tell of those that were not read. */
export interface RowsAlongAxis {
  /** Absent: no run that fits is of a version of the axis. */
  readonly table?: Table;
  readonly unread: LeftOutRows;
  /** By variable that a run has one of: whether runs differ in it, also those that were not read. */
  readonly differing: ReadonlyMap<Variable, boolean>;
}

interface AskedRows {
  /** Of which rows are read. */
  readonly asked: QueryOptions;
  /** The parameters that make sets. */
  readonly by: readonly Variable[];
  readonly versions: RunVersions;
  readonly order: readonly VersionId[];
  readonly history: History;
}

/**
 * Reads what runs of the versions of `order` have; of all others the database counts. undefined: there is nothing to
 * spare, as all versions that were measured are in the order, or no run has one. Fails like `ask`.
 */
export async function rowsAlongAxis(
  workspace: Workspace,
  { asked, by, versions, order, history }: AskedRows,
): Promise<RowsAlongAxis | undefined> {
  const known = new Set(order);
  if (known.size === 0 || [...versions.values()].every((version) => known.has(version))) return undefined;
  const once = by.filter(({ occurrence }) => occurrence === "once");
  const counting = { ...asked, results: [], by: ["@run", ...once.map(({ name }) => name)], statistics: ["count"] };
  const { table: counts } = await ask(workspace, counting, history);
  const unread = { nameless: 0, elsewhere: 0 };
  const runs: number[] = [];
  let isVersioned = false;
  for (const row of rowsOf(counts)) {
    const [run, count] = [Number(row[0]), Number(row.at(-1))];
    const version = versions.get(run);
    isVersioned ||= version !== undefined;
    if (version === undefined) unread.nameless += count;
    else if (known.has(version)) runs.push(run);
    else unread.elsewhere += count;
  }
  if (!isVersioned) return undefined;
  const differing = new Map(once.map((variable, at) => [variable, differs(counts, at + 1, variable)] as const));
  return {
    unread,
    differing,
    ...(runs.length === 0 ? {} : { table: (await ask(workspace, { ...asked, runs }, history)).table }),
  };
}

function differs({ columns }: Table, at: number, { type }: Variable): boolean {
  const column = columns[at];
  return column !== undefined && cellNumbers(column, type).count > 1;
}
