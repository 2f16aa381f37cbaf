import type { VersionId } from "../../core/versions/digest.ts";
import type { Column, Table } from "../../core/tables/table.ts";
import { isPlain, pickRows } from "../description/vector.ts";
import type { Output, Query, SortKey } from "../plan/query.ts";
import { commitVariable } from "../plan/run-variables.ts";

/** Whether a column of an answer holds the versions of runs. */
export function holdsCommits({ source, statistic }: Output): boolean {
  return source === commitVariable && statistic === undefined;
}

/** Whether rows stand in an order that has to do with versions, which a database knows nothing of. */
export function isHistorical(query: Query): boolean {
  return commitKey(query) >= 0;
}

/** What rows are in order of: as asked for, then by the keys of groups. */
function sortKeys({ sort, grouped, outputs }: Query): SortKey[] {
  const keys = outputs.flatMap(({ statistic }, output) =>
    statistic === undefined ? [{ output, descending: false }] : [],
  );
  return [...sort, ...(grouped ? keys.filter(({ output }) => !sort.some((key) => key.output === output)) : [])];
}

function commitKey(query: Query): number {
  return sortKeys(query).findIndex(({ output }) => holdsCommits(query.outputs[output] as Output));
}

/**
 * The answer to a query, whose rows are in the order of its keys with versions by their ids, with versions in the order
 * of history. Those that the history does not know come behind, by id, and runs without a version last. Then the
 * query's limit is applied.
 */
export function inHistoryOrder(table: Table, query: Query, history: readonly VersionId[]): Table {
  const keys = sortKeys(query);
  const at = commitKey(query);
  const positions = positionsOf(table.columns[keys[at]?.output ?? -1], history, keys[at]?.descending ?? false);
  const before = keys.slice(0, at).map(({ output }) => cellsOf(table.columns[output]));
  const rows: number[] = [];
  for (let from = 0, to = 0; from < table.length; from = to) {
    for (to = from + 1; to < table.length && before.every((cell) => cell(to) === cell(from));) to++;
    const block = Array.from({ length: to - from }, (_, row) => from + row);
    for (const row of block.sort((a, b) => positions(a) - positions(b))) rows.push(row);
  }
  const kept = query.limit === undefined ? rows : rows.slice(0, query.limit);
  return {
    ...table,
    columns: table.columns.map((column) => (isPlain(column) ? pickRows(column, kept) : column)),
    length: kept.length,
  };
}

type Cells = (row: number) => string | number;

/** Where a row belongs: rows with the same place keep their order. */
function positionsOf(
  column: Column | undefined,
  history: readonly VersionId[],
  descending: boolean,
): (row: number) => number {
  if (column?.kind !== "text") return () => 0;
  const index = new Map<string, number>(history.map((id, position) => [id, descending ? -position : position]));
  const positions = column.dictionary.map((id) => index.get(id) ?? history.length);
  return (row) => positions[column.codes[row] ?? -1] ?? history.length + 1;
}

/** Equal cells are equal contents. */
function cellsOf(column: Column | undefined): Cells {
  if (column === undefined) return () => 0;
  if (column.kind !== "number") return (row) => column.codes[row] ?? -1;
  return (row) => (column.missing?.[row] === 1 ? "none" : (column.exact?.get(row) ?? String(column.values[row])));
}
