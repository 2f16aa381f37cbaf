// Holds text, figures and JSON documents for results of commands.
// Used by verbs and compatible front ends.
// Never computes results or writes to streams: text is returned or passed to Output.

export { bytesText } from "./byte-text.ts";
export { commitJson } from "./commit-json.ts";
export { isoTime } from "./date.ts";
export { printRows, rowFormats } from "./experiments/answer.ts";
export { asciiExport } from "./experiments/export-ascii.ts";
export { ImportPreview } from "./experiments/import-preview.ts";
export { missingJson } from "./experiments/missing-json.ts";
export { planText, writeOutputs } from "./experiments/query-outputs.ts";
export { renderFigure } from "./figure.ts";
export { versionAddresses } from "./links.ts";
export { mediumOf } from "./medium.ts";
export { comparedProfilesJson } from "./profiles/compared-profiles-json.ts";
export { LogTrends } from "./profiles/log-trend.ts";
export { longEntry, ShortLog } from "./profiles/log.ts";
export { checkJson, profileJson } from "./profiles/profile-json.ts";
export { statusText } from "./profiles/status.ts";
export { printRemoved } from "./removed-files.ts";
export {
  changeLines,
  checkSummary,
  machineNotes,
  noChange,
  type ReportWords,
  versionText,
} from "./verdicts/changes.ts";
export { compareFigure, compareRows } from "./verdicts/compare.ts";
export { type RowView, rowOrders, viewRows } from "./verdicts/row-view.ts";
export { findLine, fuzzText } from "./verdicts/fuzz.ts";
export { chartCount, steppedChart } from "./verdicts/stepped-chart.ts";
export { trendsFigure } from "./verdicts/trends.ts";
export { subjectJson, verdictJson } from "./verdicts/verdict-json.ts";
export {
  type TriagedVerdicts,
  applyTriageTo,
  noteTriage,
  orNothingToCompare,
  printVerdicts,
  reportEmpty,
} from "./verdicts/verdict-report.ts";
export { maxSummarySets, parameterSetsJson, parameterSetsTable } from "./experiments/parameter-sets.ts";
