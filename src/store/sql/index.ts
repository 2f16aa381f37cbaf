// The compiler from queries and row plans to SQL, and the execution of the statements.
// For `experiments`.
// Never puts a user's text into a statement: values are bound, and names are derived from ids.

export type { Statement } from "./query-statement.ts";
export { type DistinctValues, select, selectStatement, valuesPerRun, withoutPatterns } from "./select.ts";
export { compileRegex } from "./resolve-patterns.ts";
export { distinctValues, rowStatement, sourceRows } from "./source-rows.ts";
