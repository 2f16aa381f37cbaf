// Columns and blocks of series, changes and versions in the binary format of report pages.
// Used by the report, dashboard and trend commands.
// Never judges a series, and never writes HTML.

export { changeColumns, changeLines } from "./change-lines.ts";
export { type PagedSeries, pagedSeries } from "./paged-series.ts";
export { type BlockLayout, blockLayout, pointBlock } from "./point-blocks.ts";
export { type PagedVersion, seriesColumns, versionColumns } from "./series-columns.ts";
