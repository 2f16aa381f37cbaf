import { isFailure } from "../../core/failures/index.ts";
import { rowsOf, type Column, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Query } from "../../query/plan/index.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { compileQuery } from "./query-statement.ts";
import type { Statement } from "./query-statement.ts";
import { activeRunCheck, type RunCheck } from "./hidden-run-check.ts";
import { hasPatterns, resolvePatterns } from "./resolve-patterns.ts";
import { versionOfKey } from "../schema/index.ts";

/** Runs a query and returns its result with the names, types and units of its outputs. */
export async function select(engine: Engine, stored: StoredExperiment, asked: Query): Promise<Table> {
  const query = await withoutPatterns(engine, stored, asked);
  const check = await checkFor(engine, stored, query);
  const first = await execute(engine, stored, query, check);
  const answer =
    check === "none if hidden" && first.length === 0 ? await execute(engine, stored, query, "compare") : first;
  const variables = query.outputs.map((output) => output.variable);
  return {
    variables,
    columns: answer.columns.map((column, index) => decodeColumn(column, variables[index] as Variable)),
    length: answer.length,
  };
}

/** The query with its patterns resolved to values, by one more query for each variable that has one. */
export async function withoutPatterns(engine: Engine, stored: StoredExperiment, query: Query): Promise<Query> {
  if (!query.where.some(hasPatterns)) return query;
  const where = await resolvePatterns(query.where, async (variable) =>
    rowsOf(await select(engine, stored, distinctQuery(variable, query))).map(([value]) => value as Value),
  );
  return { ...query, where };
}

function distinctQuery(variable: Variable, { deleted }: Query): Query {
  const of = variable.occurrence === "multiple" ? "data" : "runs";
  const outputs = [{ variable, source: variable }];
  const where = [{ kind: "notnull", variable } as const];
  return { outputs, grouped: true, where, sort: [], of, ...(deleted === undefined ? {} : { deleted }) };
}

/** The statement of a query; its columns are named by position. */
export async function selectStatement(engine: Engine, stored: StoredExperiment, asked: Query): Promise<Statement> {
  const query = await withoutPatterns(engine, stored, asked);
  const { dialect } = engine;
  return compileQuery(query, stored, { dialect, check: await checkFor(engine, stored, query), hasOverflow: false });
}

/**
 * DuckDB fails on a variance that overflows or has values that are not finite. Only then, the query is retried with an
 * overflow-safe variance.
 */
async function execute(engine: Engine, stored: StoredExperiment, query: Query, check: RunCheck): Promise<Table> {
  const runWith = (hasOverflow: boolean): Promise<Table> => {
    const { sql, params } = compileQuery(query, stored, { dialect: engine.dialect, check, hasOverflow });
    return engine.query(sql, params);
  };
  const hasVariance = query.outputs.some(
    ({ statistic }) => statistic?.kind === "stddev" || statistic?.kind === "variance",
  );
  try {
    return await runWith(false);
  } catch (error) {
    if (!hasVariance || !isFailure(error, "database-refused")) throw error;
    return runWith(true);
  }
}

/** Avoids joining millions of rows with the runs if all runs are selected and none is deleted. */
async function checkFor(
  engine: Engine,
  stored: StoredExperiment,
  { runs, versions, deleted }: Query,
): Promise<RunCheck> {
  return runs === undefined && versions === undefined && deleted !== true ? activeRunCheck(engine, stored) : "compare";
}

/** Decodes a column of the engine's result to values of the variable. */
export function decodeColumn(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionOfKey) };
}

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
