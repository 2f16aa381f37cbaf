import { isFailure } from "../../core/failures/failure.ts";
import type { Column, Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Query } from "../../query/plan/query.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { lower } from "./compile-query.ts";
import type { Statement } from "./query-statement.ts";
import { quickCheck, type RunCheck } from "./hidden-run-check.ts";
import { versionOfKey } from "../schema/version-key.ts";

/** Answers a query: variables with the names, types and units that the query promises. */
export async function select(engine: Engine, stored: StoredExperiment, query: Query): Promise<Table> {
  const check = await checkFor(engine, stored, query);
  const first = await run(engine, stored, query, check);
  const answer = check === "none if hidden" && first.length === 0 ? await run(engine, stored, query, "compare") : first;
  const variables = query.outputs.map((output) => output.variable);
  return {
    variables,
    columns: answer.columns.map((column, index) => contentsOf(column, variables[index] as Variable)),
    length: answer.length,
  };
}

/** The statement that answers a query, whose columns are named by their places. */
export async function selectStatement(engine: Engine, stored: StoredExperiment, query: Query): Promise<Statement> {
  const { dialect } = engine;
  return lower(query, stored, { dialect, check: await checkFor(engine, stored, query), wild: false });
}

/**
 * DuckDB refuses the variance of contents that are not finite, or overflow it; it is asked anew, with care, only then.
 */
async function run(engine: Engine, stored: StoredExperiment, query: Query, check: RunCheck): Promise<Table> {
  const answer = (wild: boolean): Promise<Table> => {
    const { sql, params } = lower(query, stored, { dialect: engine.dialect, check, wild });
    return engine.query(sql, params);
  };
  const spreads = query.outputs.some(({ statistic }) => statistic?.kind === "stddev" || statistic?.kind === "variance");
  try {
    return await answer(false);
  } catch (error) {
    if (!spreads || !isFailure(error, "database-refused")) throw error;
    return answer(true);
  }
}

/** Comparing a million data sets with the runs would be for nothing where all are wanted and none is hidden. */
async function checkFor(
  engine: Engine,
  stored: StoredExperiment,
  { runs, versions, deleted }: Query,
): Promise<RunCheck> {
  return runs === undefined && versions === undefined && deleted !== true ? quickCheck(engine, stored) : "compare";
}

/** A column of the engine's answer as contents of the variable. */
export function contentsOf(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionOfKey) };
}
