import { isFailure } from "../core/errors.ts";
import type { Column, Table } from "../core/table.ts";
import type { Variable } from "../core/variable.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import type { Query } from "../query/query.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { lower, type Statement } from "./query-sql.ts";
import { recordsOf } from "./rows.ts";
import { versionOfKey } from "./version-key.ts";

/** Answers a query: variables with the names, types and units that the query promises. */
export async function select(engine: Engine, stored: StoredExperiment, query: Query): Promise<Table> {
  const answer = await run(engine, stored, query, await wantsAllRuns(engine, stored, query));
  const variables = query.outputs.map((output) => output.variable);
  return {
    variables,
    columns: answer.columns.map((column, index) => contentsOf(column, variables[index] as Variable)),
    length: answer.length,
  };
}

/** The statement that answers a query, whose columns are named by their places. */
export async function selectStatement(engine: Engine, stored: StoredExperiment, query: Query): Promise<Statement> {
  return lower(query, stored, { dialect: engine.dialect, allRuns: await wantsAllRuns(engine, stored, query), wild: false });
}

/** DuckDB refuses the variance of contents that are not finite, or overflow it; it is asked anew, with care, only then. */
async function run(engine: Engine, stored: StoredExperiment, query: Query, allRuns: boolean): Promise<Table> {
  const answer = (wild: boolean): Promise<Table> => {
    const { sql, params } = lower(query, stored, { dialect: engine.dialect, allRuns, wild });
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

/** When no run is hidden or left out, comparing a million data sets with the runs would be for nothing. */
async function wantsAllRuns(engine: Engine, stored: StoredExperiment, query: Query): Promise<boolean> {
  if (query.runs !== undefined || query.versions !== undefined) return false;
  const [row] = recordsOf(await engine.query("select count(*) as hidden from run where experiment = $1 and not active", [stored.id]));
  return row?.get("hidden") === 0;
}

/** A column of the engine's answer as contents of the variable. */
export function contentsOf(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionOfKey) };
}
