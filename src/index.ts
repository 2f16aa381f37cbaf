/**
 * perfkeep as a library: `Project` with the verbs of the command line, the verbs themselves, the data types, and the
 * codecs of the formats. Nothing here prints or ends the process; calls fail with a `Failure` (codes: docs/errors.md).
 * See docs/library.md.
 */
export { initProject, openProject, Project } from "./project.ts";
export type { MeasureOptions, PlotRequest, ProfileImport, SeriesRequest } from "./project.ts";

export type { Change, ChangeResult } from "./core/verdicts/index.ts";
export type { Digest, VersionId } from "./core/versions/index.ts";
export { Failure, isFailure, type FailureCode } from "./core/failures/index.ts";
export type { Experiment } from "./core/experiments/index.ts";
export type {
  Axis,
  Block,
  ChartBlock,
  ChartSeries,
  Figure,
  FlameBlock,
  SurfaceBlock,
  TableBlock,
  TextBlock,
} from "./core/figures/index.ts";
export { JsonNumber, jsonObject, type Json, type JsonObject } from "./core/values/index.ts";
export { columnNamed, pointsByUid } from "./core/profiles/index.ts";
export type { ListedProfile } from "./core/profiles/index.ts";
export type { Run, Step } from "./core/profiles/index.ts";
export { settingsOf, type PlainSetting, type PlainSettings, type Setting, type Settings } from "./core/values/index.ts";
export { rowsOf, valueAt, type Column, type Table } from "./core/tables/index.ts";
export { records } from "./core/tables/index.ts";
export type { Unit } from "./core/values/index.ts";
export type { DataType, Value, Values } from "./core/values/index.ts";
export type { Variable } from "./core/variables/index.ts";
export type { Since, Verdict } from "./core/verdicts/index.ts";
export type { MajorVersion, MinorVersion } from "./core/versions/index.ts";

export { decodeObject, encodeObject } from "./formats/store/index.ts";
export { decodeProfile, encodeProfile, normaliseProfile } from "./formats/profile/index.ts";
export { profileOf, type ProfileDescription, type Subject } from "./formats/profile/index.ts";
export { decodeIndex, encodeIndex } from "./formats/store/index.ts";

export type { LevelChange } from "./math/detectors/index.ts";

export type { Checker } from "./plugins/checkers/checker.ts";
export type { Collector } from "./plugins/collectors/collector.ts";
export type { Detector } from "./plugins/detectors/detector.ts";
export type { EnginePlugin } from "./plugins/engines/engine.ts";
export type { Generator } from "./plugins/generators/generator.ts";
export type { Importer } from "./plugins/importers/importer.ts";
export type { Postprocessor } from "./plugins/postprocessors/postprocessor.ts";
export type { Reader } from "./plugins/readers/reader.ts";
export type { Renderer, RenderOptions } from "./plugins/renderers/renderer.ts";
export type { Vcs, VcsPlugin } from "./plugins/vcs/vcs.ts";
export type { View } from "./plugins/views/view.ts";

export { add, type Added, type AddOptions, type AddResult } from "./commands/profiles/index.ts";
export { catObject } from "./commands/maintenance/index.ts";
export { checkAll, checkHead, type VersionCheck } from "./commands/verdicts/index.ts";
export { checkProfiles } from "./commands/verdicts/index.ts";
export { checkSeries, type CheckedSeries, type CheckSeriesOptions } from "./commands/verdicts/index.ts";
export { compare, type CompareRequest, type Comparison } from "./commands/verdicts/index.ts";
export { convertProfile, type ConvertProfileOptions } from "./commands/profiles/index.ts";
export { convertStacks, type ConvertStacksOptions } from "./commands/profiles/index.ts";
export { diff, type DiffOptions } from "./commands/profiles/index.ts";
export { hashObject } from "./commands/maintenance/index.ts";
export { importFiles } from "./commands/import/index.ts";
export type { ImportOptions, ImportResult } from "./commands/import/index.ts";
export { importProfile, type ImportedProfile, type ImportProfileOptions } from "./commands/profiles/index.ts";
export { importReports, type ImportedReports, type ImportReportsOptions } from "./commands/import/index.ts";
export { init, type InitOptions, type InitResult } from "./commands/configuration/index.ts";
export { log, type LogEntry, type LogOptions } from "./commands/history/index.ts";
export { plot, type PlotAnswer, type PlotOptions } from "./commands/query/index.ts";
export { query, type QueryOptions, type QueryResult } from "./commands/query/index.ts";
export { remove } from "./commands/profiles/index.ts";
export { render, type RenderRequest } from "./commands/report/index.ts";
export { show, type ShowOptions } from "./commands/profiles/index.ts";
export { status, type Status } from "./commands/history/index.ts";

export type { SavedProfile as KeptProfile } from "./workspace/profiles/index.ts";
export type { JobsResult } from "./workspace/jobs/index.ts";
export { Workspace, type World } from "./workspace/workspace.ts";
