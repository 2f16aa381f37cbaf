/**
 * For plug-ins of users: the contracts of the kinds that can be added, as types, and `pluginKit`, which perfkeep hands to every plug-in, for tests.
 * docs/plugins.md tells how to write one.
 */
export type { Change, ChangeResult } from "./core/change.ts";
export type { Digest, VersionId } from "./core/digest.ts";
export type { Axis, Block, ChartBlock, ChartSeries, Figure, SurfaceBlock, TableBlock, TextBlock } from "./core/figure.ts";
export type { Json, JsonObject } from "./core/json.ts";
export type { Run, Step } from "./core/run.ts";
export type { Column, Table } from "./core/table.ts";
export type { DataType, Value, Values } from "./core/value.ts";
export type { Variable } from "./core/variable.ts";
export type { MajorVersion, MinorVersion, TaggedVersion } from "./core/version.ts";

export type { ProfileDescription, Subject } from "./formats/profile-of.ts";

export type { Checker } from "./plugins/checkers/checker.ts";
export type { Collector, Job, Outcome, Shell, ShellOptions } from "./plugins/collectors/collector.ts";
export type { Modes, Postprocessor } from "./plugins/postprocessors/postprocessor.ts";
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

export { pluginKit, type PluginKit } from "./workspace/plugin-kit.ts";
