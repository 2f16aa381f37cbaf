// The compiler from logical plans to SQL, and the execution of the statements.
// For `experiments`.
// Never puts a user's text into a statement: values are bound, and names are derived from ids.

export type { Statement } from "./statement.ts";
export {
  type DistinctValues,
  distinctValues,
  planStatement,
  select,
  sourceRows,
  valuesPerRun,
  withoutPatterns,
} from "./select.ts";
export { compileRegex } from "./resolve-patterns.ts";
