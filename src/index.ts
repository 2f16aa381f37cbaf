/**
 * perfkeep as a library: `Project` with the verbs of the command line, the verbs themselves, the data types, and the
 * codecs of the formats. Nothing here prints or ends the process; calls fail with a `Failure` (codes: docs/errors.md).
 * See docs/library.md.
 */
export { initProject, openProject, Project } from "./project.ts";
export type { MeasureOptions, PlotRequest, ProfileImport, SeriesRequest } from "./project.ts";

export type { Change, ChangeResult } from "./core/verdicts/change.ts";
export type { Digest, VersionId } from "./core/versions/digest.ts";
export { Failure, isFailure, type FailureCode } from "./core/failures/failure.ts";
export type { Experiment } from "./core/experiments/experiment.ts";
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
} from "./core/figures/figure.ts";
export { JsonNumber, jsonObject, type Json, type JsonObject } from "./core/values/json.ts";
export { columnNamed, pointsByUid } from "./core/profiles/location-points.ts";
export type { ListedProfile } from "./core/profiles/listed-profile.ts";
export type { Run, Step } from "./core/profiles/run.ts";
export {
  settingsOf,
  type PlainSetting,
  type PlainSettings,
  type Setting,
  type Settings,
} from "./core/values/setting.ts";
export { rowsOf, valueAt, type Column, type Table } from "./core/tables/table.ts";
export { records } from "./core/tables/table-records.ts";
export type { Unit } from "./core/values/unit.ts";
export type { DataType, Value, Values } from "./core/values/value.ts";
export type { Variable } from "./core/variables/variable.ts";
export type { Since, Verdict } from "./core/verdicts/verdict.ts";
export type { MajorVersion, MinorVersion } from "./core/versions/version.ts";

export { decodeObject, encodeObject } from "./formats/store/object.ts";
export { decodeProfile, encodeProfile, normaliseProfile } from "./formats/profile/profile.ts";
export { profileOf, type ProfileDescription, type Subject } from "./formats/profile/build-profile.ts";
export { decodeIndex, encodeIndex } from "./formats/store/version-index.ts";

export type { LevelChange } from "./math/detectors/level-change.ts";

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

export { add, type Added, type AddOptions, type AddResult } from "./commands/profiles/register.ts";
export { catObject } from "./commands/maintenance/store.ts";
export { checkAll, checkHead, type VersionCheck } from "./commands/verdicts/check-history.ts";
export { checkProfiles } from "./commands/verdicts/check-profiles.ts";
export { checkSeries, type CheckedSeries, type CheckSeriesOptions } from "./commands/verdicts/check-series.ts";
export { compare, type CompareRequest, type Comparison } from "./commands/verdicts/compare.ts";
export { convertProfile, type ConvertProfileOptions } from "./commands/profiles/convert-profile.ts";
export { convertStacks, type ConvertStacksOptions } from "./commands/profiles/convert-stacks.ts";
export { diff, type DiffOptions } from "./commands/profiles/diff.ts";
export { hashObject } from "./commands/maintenance/store.ts";
export { importFiles } from "./commands/import/import.ts";
export type { ImportOptions, ImportResult } from "./commands/import/options.ts";
export { importProfile, type ImportedProfile, type ImportProfileOptions } from "./commands/profiles/import-profile.ts";
export { importReports, type ImportedReports, type ImportReportsOptions } from "./commands/import/import-reports.ts";
export { init, type InitOptions, type InitResult } from "./commands/configuration/init.ts";
export { log, type LogEntry, type LogOptions } from "./commands/history/log.ts";
export { plot, type PlotAnswer, type PlotOptions } from "./commands/query/plot.ts";
export { query, type QueryOptions, type QueryResult } from "./commands/query/query.ts";
export { remove } from "./commands/profiles/register.ts";
export { render, type RenderRequest } from "./commands/report/render.ts";
export { show, type ShowOptions } from "./commands/profiles/show.ts";
export { status, type Status } from "./commands/history/status.ts";

export type { SavedProfile as KeptProfile } from "./workspace/profiles/save-profile.ts";
export type { JobsResult } from "./workspace/jobs/ledger.ts";
export { Workspace, type World } from "./workspace/workspace.ts";
