/**
 * perfkeep as a library: the nouns, the codecs of the formats, and the verbs. Nothing here prints or ends the process; what fails, fails
 * with a Failure, whose codes docs/errors.md lists.
 */
export type { Change, ChangeResult } from "./core/change.ts";
export type { Digest, VersionId } from "./core/digest.ts";
export { Failure, isFailure, type FailureCode } from "./core/errors.ts";
export type { Experiment } from "./core/experiment.ts";
export type { Figure } from "./core/figure.ts";
export { JsonNumber, type Json, type JsonObject } from "./core/json.ts";
export type { ListedProfile } from "./core/profile-order.ts";
export type { Run, Step } from "./core/run.ts";
export type { Column, Table } from "./core/table.ts";
export type { Unit } from "./core/unit.ts";
export type { DataType, Value, Values } from "./core/value.ts";
export type { Variable } from "./core/variable.ts";
export type { MajorVersion, MinorVersion } from "./core/version.ts";

export { decodeObject, encodeObject } from "./formats/object.ts";
export { normaliseProfile } from "./formats/profile.ts";
export { decodeIndex, encodeIndex } from "./formats/version-index.ts";

export type { Checker } from "./plugins/checkers/checker.ts";
export type { Collector } from "./plugins/collectors/collector.ts";
export type { EnginePlugin } from "./plugins/engines/engine.ts";
export type { Generator } from "./plugins/generators/generator.ts";
export type { Importer } from "./plugins/importers/importer.ts";
export type { Postprocessor } from "./plugins/postprocessors/postprocessor.ts";
export type { Reader } from "./plugins/readers/reader.ts";
export type { Renderer } from "./plugins/renderers/renderer.ts";
export type { Vcs, VcsPlugin } from "./plugins/vcs/vcs.ts";
export type { View } from "./plugins/views/view.ts";

export { add } from "./commands/add.ts";
export { catObject } from "./commands/cat-object.ts";
export { checkAll, checkHead } from "./commands/check-history.ts";
export { checkProfiles } from "./commands/check-profiles.ts";
export { convertProfile } from "./commands/convert-profile.ts";
export { convertStacks } from "./commands/convert-stacks.ts";
export { hashObject } from "./commands/hash-object.ts";
export { importProfile } from "./commands/import-profile.ts";
export { init } from "./commands/init.ts";
export { log } from "./commands/log.ts";
export { remove } from "./commands/remove.ts";
export { show } from "./commands/show.ts";
export { status } from "./commands/status.ts";

export { Workspace, type World } from "./workspace/workspace.ts";
