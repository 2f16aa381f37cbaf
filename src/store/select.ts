import { isFailure } from "../core/errors.ts";
import type { Column, Table } from "../core/table.ts";
import type { Variable } from "../core/variable.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import type { Query } from "../query/query.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { lower, type Statement } from "./query-sql.ts";
import { versionOfKey } from "./version-key.ts";

/** Answers a query: variables with the names, types and units that the query promises. */
export async function select(engine: Engine, stored: StoredExperiment, query: Query): Promise<Table> {
  const quick = canSkipRuns(query) ? await run(engine, stored, query, true) : undefined;
  const answer = quick !== undefined && quick.length > 0 ? quick : await run(engine, stored, query, false);
  const variables = query.outputs.map((output) => output.variable);
  return {
    variables,
    columns: answer.columns.map((column, index) => contentsOf(column, variables[index] as Variable)),
    length: answer.length,
  };
}

/** The statement that answers a query, whose columns are named by their places. */
export function selectStatement(engine: Engine, stored: StoredExperiment, query: Query): Statement {
  return lower(query, stored, { dialect: engine.dialect, unlessHidden: canSkipRuns(query), wild: false });
}

/** DuckDB refuses the variance of contents that are not finite, or overflow it; it is asked anew, with care, only then. */
async function run(engine: Engine, stored: StoredExperiment, query: Query, unlessHidden: boolean): Promise<Table> {
  const answer = (wild: boolean): Promise<Table> => {
    const { sql, params } = lower(query, stored, { dialect: engine.dialect, unlessHidden, wild });
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

/**
 * Comparing a million data sets with the runs would be for nothing where all are wanted and none is hidden. Whether one is is asked in the
 * same statement, which then has no row: where there are none, the runs are compared.
 */
function canSkipRuns({ runs, versions, deleted }: Query): boolean {
  return runs === undefined && versions === undefined && deleted !== true;
}

/** A column of the engine's answer as contents of the variable. */
export function contentsOf(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionOfKey) };
}
