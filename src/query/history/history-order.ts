import { isPlain, pickRows, type Column, type Table } from "../../core/tables/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { type Output, type LogicalPlan, type SortKey, commitVariable, sourceOf } from "../plan/index.ts";

/** Whether a column holds the versions of runs. */
export function holdsCommits(output: Output): boolean {
  return sourceOf(output) === commitVariable && output.aggregate === undefined;
}

/** Whether rows are sorted by version, which a database cannot do. */
export function isHistorical(query: LogicalPlan): boolean {
  return commitKey(query) >= 0;
}

/** The sort keys: the requested ones, then the group keys. */
function sortKeys({ sort, grouped, outputs }: LogicalPlan): SortKey[] {
  const keys = outputs.flatMap(({ aggregate }, output) =>
    aggregate === undefined ? [{ output, descending: false }] : [],
  );
  return [...sort, ...(grouped ? keys.filter(({ output }) => !sort.some((key) => key.output === output)) : [])];
}

function commitKey(query: LogicalPlan): number {
  return sortKeys(query).findIndex(({ output }) => holdsCommits(query.outputs[output] as Output));
}

/**
 * Sorts a result, whose versions are sorted by id, by the order of history. Unknown versions come after, by id, and
 * runs without a version last. Then applies the query's limit.
 */
export function inHistoryOrder(table: Table, query: LogicalPlan, history: readonly VersionId[]): Table {
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

/** The sort position of a row; equal positions keep their order. */
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

/** Comparable cells: equal for equal values. */
function cellsOf(column: Column | undefined): Cells {
  if (column === undefined) return () => 0;
  if (column.kind !== "number") return (row) => column.codes[row] ?? -1;
  return (row) => (column.missing?.[row] === 1 ? "none" : (column.exact?.get(row) ?? String(column.values[row])));
}
