/**
 * For user plug-ins: the contracts of all extensible kinds, as types, and `pluginKit`, which perfkeep passes to every
 * plug-in, for tests. See docs/plugins.md.
 */
export type { BenchmarkReport, BenchmarkResult, ReportMetric } from "./core/measurements/index.ts";
export type { Change, ChangeResult } from "./core/verdicts/index.ts";
export type { Digest, VersionId } from "./core/versions/index.ts";
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
export type { FlameGraph } from "./core/figures/index.ts";
export type { Json, JsonObject } from "./core/values/index.ts";
export type { Run, Step } from "./core/profiles/index.ts";
export type { StackFrame, StackProfile, StackSamples, ValueType } from "./core/profiles/index.ts";
export type { StackTable } from "./core/profiles/index.ts";
export type { Column, Table } from "./core/tables/index.ts";
export type { DataType, Value, Values } from "./core/values/index.ts";
export type { Variable } from "./core/variables/index.ts";
export type { MajorVersion, MinorVersion, TaggedVersion } from "./core/versions/index.ts";

export type { ProfileDescription, Subject } from "./formats/profile/index.ts";

export type { Checker } from "./plugins/checkers/checker.ts";
export type { Collector, Job, Outcome, Shell, ShellOptions } from "./plugins/collectors/collector.ts";
export type { Detector } from "./plugins/detectors/detector.ts";
export type { Generator, GeneratorWorld, Workload } from "./plugins/generators/generator.ts";
export type { Importer, ImportEvent, ImportGuide } from "./plugins/importers/importer.ts";
export type { Modes, Postprocessor } from "./plugins/postprocessors/postprocessor.ts";
export type { Reader, ReadGuide } from "./plugins/readers/reader.ts";
export type { Renderer, RenderOptions } from "./plugins/renderers/renderer.ts";
export type {
  Ability,
  Environment,
  Recorder,
  SavedState,
  SnapshotFacts,
  TouchedFiles,
  Vcs,
  VcsPlugin,
  Worktree,
} from "./plugins/vcs/vcs.ts";
export type { View } from "./plugins/views/view.ts";

export { pluginKit, type PluginKit } from "./workspace/plugins/index.ts";
