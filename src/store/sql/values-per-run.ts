import { rowsOf, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Query } from "../../query/plan/index.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { compileQuery } from "./compile-query.ts";
import { decodeColumn, withoutPatterns } from "./select.ts";

/** Distinct values, ascending. `distinct` is their number; `values` may hold only the first ones. */
export interface DistinctValues {
  readonly values: readonly Value[];
  readonly distinct: number;
}

/**
 * The distinct values of each run by run number, at most `maxValues` per run. `query` must group by the run number and
 * one variable. Runs without values are omitted.
 */
export async function valuesPerRun(
  engine: Engine,
  stored: StoredExperiment,
  asked: Query,
  maxValues: number,
): Promise<Map<number, DistinctValues>> {
  const query = await withoutPatterns(engine, stored, asked);
  const { sql, params } = compileQuery(query, stored, {
    dialect: engine.dialect,
    check: "compare",
    hasOverflow: false,
  });
  const counted = [
    "select c0, c1, row_number() over (partition by c0 order by c1) as nth,",
    "count(*) over (partition by c0) as total",
    `from (${sql}) pairs`,
  ];
  const table = await engine.query(
    `select c0, c1, total from (${counted.join(" ")}) counted where nth <= $${params.length + 1} order by c0, nth`,
    [...params, Math.min(maxValues, Number.MAX_SAFE_INTEGER)],
  );
  return grouped(table, query);
}

function grouped(table: Table, query: Query): Map<number, DistinctValues> {
  const variables = [...query.outputs.map((output) => output.variable), total];
  const columns = table.columns.map((column, at) => decodeColumn(column, variables[at] as Variable));
  const byRun = new Map<number, { values: Value[]; distinct: number }>();
  for (const [run, value, distinct] of rowsOf({ variables, columns, length: table.length })) {
    const values = byRun.get(Number(run))?.values;
    if (values) values.push(value as Value);
    else byRun.set(Number(run), { values: [value as Value], distinct: Number(distinct) });
  }
  return byRun;
}

const total: Variable = { name: "total", role: "result", occurrence: "multiple", type: "integer" };
