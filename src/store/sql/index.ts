// The compiler from queries and row plans to SQL, and the execution of the statements.
// For `experiments`.
// Never puts a user's text into a statement: values are bound, and names are derived from ids.

export type { Statement } from "./query-statement.ts";
export { select, selectStatement, withoutPatterns } from "./select.ts";
export { compileRegex, distinctValues, rowStatement, sourceRows } from "./source-rows.ts";
export { type DistinctValues, valuesPerRun } from "./values-per-run.ts";
