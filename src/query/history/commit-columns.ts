import { numberColumn, type Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { holdsCommits } from "./history-order.ts";
import type { Output } from "../plan/index.ts";

/** A number per version. */
export interface VersionColumn {
  readonly variable: Variable;
  readonly values: ReadonlyMap<string, number>;
}

/** A query result with its columns. */
export interface Answer {
  readonly table: Table;
  readonly outputs: readonly Output[];
}

/** Adds columns by version to a result; missing where the version has no value. Keeps the rows. */
export function joinVersionColumns({ table, outputs }: Answer, joined: readonly VersionColumn[]): Answer {
  const commits = table.columns[outputs.findIndex(holdsCommits)];
  const idOf = (row: number): string =>
    commits?.kind === "text" ? (commits.dictionary[commits.codes[row] ?? -1] ?? "") : "";
  const ids = Array.from({ length: table.length }, (_, row) => idOf(row));
  const columns = joined.map(({ values }) => numberColumn(ids.map((id) => values.get(id) ?? null)));
  const variables = joined.map(({ variable }) => variable);
  return {
    table: {
      variables: [...table.variables, ...variables],
      columns: [...table.columns, ...columns],
      length: table.length,
    },
    outputs: [...outputs, ...variables.map((variable) => ({ variable }))],
  };
}
