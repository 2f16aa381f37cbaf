// Columns and blocks of series, changes and versions in the binary format of report pages.
// Used by the report, dashboard and trend commands; the app compares two commits with it, as reports have no server.
// Never judges a series, and never writes HTML.

export { changeColumns, changeList } from "./change-lines.ts";
export {
  type ComparedSeries,
  type ComparisonGroup,
  type ComparisonGrouping,
  causeCommit,
  compareStates,
  comparisonSentence,
  groupComparison,
  sortComparison,
} from "./compared-states.ts";
export { type PagedSeries, pagedSeries } from "./paged-series.ts";
export { type BlockLayout, blockLayout, machineColumns, machineLevels, pointBlock } from "./point-blocks.ts";
export { type PagedVersion, seriesColumns, versionColumns } from "./series-columns.ts";
export { KnownNoise, StateLevelsBuilder } from "./state-levels.ts";
