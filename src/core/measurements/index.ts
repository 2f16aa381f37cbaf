// Measured quantities, series, samples and benchmark reports, with units and better directions.
// Used by importers, queries, exports and verdicts.
// Never computes statistics: that is the task of math and query.

export {
  type BenchmarkReport,
  type BenchmarkResult,
  type Measured,
  type MeasuredValues,
  type ReportMetric,
  mostVariables,
} from "./benchmark-report.ts";
export { defaultDirection } from "./default-direction.ts";
export { derivedMetrics, derivedNames, isExitStatus, type NamedMetric } from "./derived-metrics.ts";
export { type MetricDirection, metricDirection } from "./metric-direction.ts";
export { directionOfMetric, directionOfName } from "./direction-of-name.ts";
export { areEventCounts, isSteadyEvent, mayCountEvents, steadyCountNoise } from "./event-counts.ts";
export { machineClass, machineFact } from "./machine-facts.ts";
export { machinesNamed, sameMachine } from "./machine-relation.ts";
export type { BenchmarkCase, MeasuredCase, MeasuredRun, Measurement, Quantity, Sample } from "./measurement.ts";
export {
  type Direction,
  type Disturbance,
  type Growth,
  type PointColumns,
  type PointOrigin,
  type Series,
  type SeriesPoint,
  type Subject,
  cpuTimeMetric,
} from "./series.ts";
export { metricRank } from "./metric-rank.ts";
export { isEpochTime, namesCondition, namesOutcome, namesReplicate, namesResult } from "./result-names.ts";
