// Exports of runs in pieces of bounded size, and Parquet files.
// For the export and query commands, and for dumps.
// Never holds all rows of an experiment in memory.

export { type ExportPiece, type ExportPlan, exportRuns, ordinalSpans } from "./export-runs.ts";
export { type RunSpan, exportSlices } from "./export-slices.ts";
export { ParquetRows } from "./parquet.ts";
export { RowBudget } from "./row-budget.ts";
