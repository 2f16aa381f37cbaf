/**
 * perfkeep as a library: a project with what the verbs of the command line do, the verbs themselves, the nouns, and the
 * codecs of the formats. Nothing here prints or ends the process; what fails, fails with a Failure, whose codes
 * docs/errors.md lists. docs/library.md shows how to use it.
 */
export { initProject, openProject, Project } from "./project.ts";
export type { MeasureOptions, PlotRequest, ProfileImport, SeriesRequest } from "./project.ts";

export type { Change, ChangeResult } from "./core/change.ts";
export type { Digest, VersionId } from "./core/digest.ts";
export { Failure, isFailure, type FailureCode } from "./core/errors.ts";
export type { Experiment } from "./core/experiment.ts";
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
} from "./core/figure.ts";
export { JsonNumber, jsonObject, type Json, type JsonObject } from "./core/json.ts";
export { columnNamed, pointsByUid } from "./core/points.ts";
export type { ListedProfile } from "./core/profile-order.ts";
export type { Run, Step } from "./core/run.ts";
export { settingsOf, type PlainSetting, type PlainSettings, type Setting, type Settings } from "./core/setting.ts";
export { rowsOf, valueAt, type Column, type Table } from "./core/table.ts";
export { records } from "./core/table-records.ts";
export type { Unit } from "./core/unit.ts";
export type { DataType, Value, Values } from "./core/value.ts";
export type { Variable } from "./core/variable.ts";
export type { Since, Verdict } from "./core/verdict.ts";
export type { MajorVersion, MinorVersion } from "./core/version.ts";

export { decodeObject, encodeObject } from "./formats/store/object.ts";
export { decodeProfile, encodeProfile, normaliseProfile } from "./formats/profile/profile.ts";
export { profileOf, type ProfileDescription, type Subject } from "./formats/profile/profile-of.ts";
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

export { add, type Added, type AddOptions, type AddResult } from "./commands/add.ts";
export { catObject } from "./commands/cat-object.ts";
export { checkAll, checkHead, type VersionCheck } from "./commands/check-history.ts";
export { checkProfiles } from "./commands/check-profiles.ts";
export { checkSeries, type CheckedSeries, type CheckSeriesOptions } from "./commands/check-series.ts";
export { compare, type CompareRequest, type Comparison } from "./commands/compare.ts";
export { convertProfile, type ConvertProfileOptions } from "./commands/convert-profile.ts";
export { convertStacks, type ConvertStacksOptions } from "./commands/convert-stacks.ts";
export { diff, type DiffOptions } from "./commands/diff.ts";
export { hashObject } from "./commands/hash-object.ts";
export { importFiles } from "./commands/import.ts";
export type { ImportOptions, ImportResult } from "./commands/import-options.ts";
export { importProfile, type ImportedProfile, type ImportProfileOptions } from "./commands/import-profile.ts";
export { importReports, type ImportedReports, type ImportReportsOptions } from "./commands/import-reports.ts";
export { init, type InitOptions, type InitResult } from "./commands/init.ts";
export { log, type LogEntry, type LogOptions } from "./commands/log.ts";
export { plot, type PlotAnswer, type PlotOptions } from "./commands/plot.ts";
export { query, type QueryOptions, type QueryResult } from "./commands/query.ts";
export { remove } from "./commands/remove.ts";
export { render, type RenderRequest } from "./commands/render.ts";
export { show, type ShowOptions } from "./commands/show.ts";
export { status, type Status } from "./commands/status.ts";

export type { KeptProfile } from "./workspace/keep-profile.ts";
export type { JobsResult } from "./workspace/job-ledger.ts";
export { Workspace, type World } from "./workspace/workspace.ts";
