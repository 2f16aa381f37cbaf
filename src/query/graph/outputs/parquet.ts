import { Failure } from "../../../core/errors.ts";
import { tablesOf } from "./shown-tables.ts";
import type { Target } from "./target.ts";

/** One table that an engine writes as a Parquet file. Fails with `query-not-possible` when the inputs have different columns. */
export const parquet: Target = {
  name: "parquet",
  extension: "parquet",
  joins: false,
  printable: false,
  show(shown) {
    const [first, ...rest] = tablesOf(shown);
    if (first !== undefined && rest.length === 0) return { kind: "table", table: first.table, format: "parquet" };
    const problem = `a Parquet file holds one table, and the inputs make ${rest.length + (first === undefined ? 0 : 1)}`;
    throw new Failure("query-not-possible", {
      element: shown.name,
      problem,
      advice: "give inputs with other columns an output of their own",
    });
  },
};
