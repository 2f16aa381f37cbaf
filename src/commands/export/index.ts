// Streams the rows of an experiment as tables, Arrow, Parquet or in benchmark formats.
// Used by the verb export and by perfbase's front ends.
// Never writes files: callers receive bytes, texts or tables.

export { type BenchmarkFormat, exportAsv, exportBenchmarks } from "./export-benchmarks.ts";
export type { RunSink } from "./export-by-run.ts";
export type { MeasurementOptions } from "./export-measurements.ts";
export {
  type ExportHead,
  type ExportOptions,
  type RunRange,
  describeExport,
  exportArrow,
  exportByRun,
  exportDescription,
  exportParquet,
  exportRows,
} from "./export.ts";
