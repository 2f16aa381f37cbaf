// Searches of experiments for gaps, jumps, drifts, excessive spread and outliers, with tables and charts.
// Used by the mine command.
// Never runs the proposed commands, and never changes an experiment.

export { changesChart } from "./chart.ts";
export type { OrderedRun } from "./finding.ts";
export { type Job, jobsFor } from "./jobs.ts";
export { type DatedRun, type MinePlan, inHistory, inTime, minePlans, orderedRunOf } from "./plan.ts";
export { type MineReport, reportOf } from "./report.ts";
export { type CollectedRows, RowCollector, rowsOfTable } from "./row-collector.ts";
export { mineTables } from "./tables.ts";
