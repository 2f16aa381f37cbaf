import { rowsOf, type Table } from "../../core/tables/table.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Query } from "../../query/plan/query.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { lower } from "./compile-query.ts";
import { contentsOf } from "./select.ts";

/** Different contents in ascending order; `distinct` says how many there are, of which `contents` may be the first. */
export interface DistinctContents {
  readonly contents: readonly Value[];
  readonly distinct: number;
}

/**
 * By number of run the different contents that `query` finds, which is grouped by the number of the run and one
 * variable; at most `most` of each run leave the database. Runs without any are left out.
 */
export async function contentsPerRun(
  engine: Engine,
  stored: StoredExperiment,
  query: Query,
  most: number,
): Promise<Map<number, DistinctContents>> {
  const { sql, params } = lower(query, stored, { dialect: engine.dialect, check: "compare", wild: false });
  const counted = [
    "select c0, c1, row_number() over (partition by c0 order by c1) as place, count(*) over (partition by c0) as total",
    `from (${sql}) pairs`,
  ];
  const table = await engine.query(
    `select c0, c1, total from (${counted.join(" ")}) counted where place <= $${params.length + 1} order by c0, place`,
    [...params, Math.min(most, Number.MAX_SAFE_INTEGER)],
  );
  return grouped(table, query);
}

function grouped(table: Table, query: Query): Map<number, DistinctContents> {
  const variables = [...query.outputs.map((output) => output.variable), total];
  const columns = table.columns.map((column, at) => contentsOf(column, variables[at] as Variable));
  const found = new Map<number, { contents: Value[]; distinct: number }>();
  for (const [run, content, distinct] of rowsOf({ variables, columns, length: table.length })) {
    const known = found.get(Number(run));
    if (known) known.contents.push(content as Value);
    else found.set(Number(run), { contents: [content as Value], distinct: Number(distinct) });
  }
  return found;
}

const total: Variable = { name: "total", role: "result", occurrence: "multiple", type: "integer" };
