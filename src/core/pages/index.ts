// Messages between program and pages: overview, columns, points, and their binary frames.
// Used by the report, the dashboard and the browser app; runs in browsers.
// Never imports Node.js modules or fetches data.

export type { ChangeColumns, MachineColumns, SeriesColumns, StateLevels, VersionColumns } from "./columns.ts";
export {
  type Frame,
  type FrameArray,
  type PointBlock,
  packFrame,
  packPoints,
  packValue,
  unpackFrame,
  unpackPoints,
  unpackValue,
} from "./frame.ts";
export type { ChangeGroupLine, ChangeLine, ChangeRange, Overview } from "./overview.ts";
export { type ColumnPart, columnParts, type PageStart, type ReportProfiles, reportParts } from "./report-parts.ts";
export type {
  Evidence,
  ExperimentPage,
  LiveSource,
  NamedFigure,
  PageSource,
  ProfileLine,
  QueryVariable,
  RunLine,
  ViewChoice,
  ViewOption,
} from "./source.ts";
