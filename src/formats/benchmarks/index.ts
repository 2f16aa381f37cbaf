// Parsers and printers of benchmark formats: Go, Google Benchmark, perf stat, console tables, XML and JSON reports.
// Used by importers, collectors, exports and verdicts on files of samples.
// Never opens files, touches an experiment or decides whether a result is better.

export { cargoTarget } from "./cargo-target.ts";
export {
  hyperfineTextResults,
  isHyperfineText,
  isK6Text,
  type K6Metric,
  k6TextMetrics,
  parameterNumber,
} from "./console-summaries.ts";
export {
  type JmhRow,
  asvTableCells,
  isJmhText,
  isVitestText,
  jmhHead,
  jmhTextRows,
  vitestRun,
  vitestTextRows,
} from "./console-tables.ts";
export { type FolderFile, asvResults } from "./export/asv-results.ts";
export { GoBenchmarkPrinter } from "./export/go-benchmark-print.ts";
export {
  bencherMetrics,
  customMetrics,
  openMetricsText,
  quantitiesOfDirection,
  quantitiesWithoutDirection,
} from "./export/metric-lists.ts";
export { type GoBenchmarks, type GoResult, goTestText, isGoBenchmark, readGoBenchmarks } from "./go-benchmark.ts";
export { type GoogleEntry, googleReport, googleTextEntries, isGoogleText, perSecond } from "./google-benchmark.ts";
export { juliaTextConfidence, juliaTrials } from "./julia-text.ts";
export {
  type PerfCount,
  type PerfStatCount,
  consoleCount,
  csvCount,
  jsonCount,
  readPerfStat,
  respeltNumbers,
} from "./perf-stat.ts";
export { isPytestText, pytestText } from "./pytest-benchmark-text.ts";
export {
  type FactPath,
  commitIn,
  divideAll,
  factsIn,
  numbersIn,
  parameterValue,
  performedAt,
  reportOf,
} from "./report/build-report.ts";
export { MetricList, statisticOf } from "./report/metric-list.ts";
export { RepeatedResults, SampledStatistics } from "./report/repeated-results.ts";
export { linesByRun, reportBytes, reportLines, someLine } from "./report/report-text.ts";
export { type ReportUnit, reportUnit, toBaseUnit } from "./report/report-unit.ts";
export { childText, reportXml, rootName } from "./report/report-xml.ts";
export { type NamedSeries, readSampleFile, readSeriesTable } from "./sample-file.ts";
export { tinybenchMetrics, tinybenchValues } from "./tinybench-statistics.ts";
