import { Failure } from "../../../core/failures/failure.ts";
import { tablesOf } from "./shown-tables.ts";
import type { Target } from "./target.ts";

/** One table as a file that others write. Fails with `query-not-possible` when the inputs have different columns. */
function tableFile(name: "parquet" | "arrow", kind: string): Target {
  return {
    name,
    extension: name,
    joins: false,
    printable: false,
    show(shown) {
      const [first, ...rest] = tablesOf(shown);
      if (first !== undefined && rest.length === 0) return { kind: "table", table: first.table, format: name };
      const problem = `${kind} file holds one table, and the inputs make ${rest.length + (first === undefined ? 0 : 1)}`;
      const advice = "give inputs with other columns an output of their own";
      throw new Failure("query-not-possible", { element: shown.name, problem, advice });
    },
  };
}

export const parquet = tableFile("parquet", "a Parquet");
export const arrow = tableFile("arrow", "an Arrow");
