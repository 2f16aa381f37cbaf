import { isFailure } from "../../core/failures/index.ts";
import { rowsOf, type Column, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Query } from "../../query/plan/index.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { compileQuery } from "./compile-query.ts";
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
  if (!hasPatterns(query)) return query;
  return resolvePatterns(query, async (values) =>
    rowsOf(await select(engine, stored, values)).map(([value]) => value as Value),
  );
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
