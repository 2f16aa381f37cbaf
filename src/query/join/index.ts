// Queries of two experiments: the names of both, keys, the join of their rows, and what it did with them.
// Used by the query commands.
// Never reads a database: the rows of each experiment are the results of its own query.

export { joinTables } from "./join-tables.ts";
export { type JoinOutput, type JoinPlan, planJoin } from "./join-plan.ts";
export type { JoinReport } from "./join-report.ts";
