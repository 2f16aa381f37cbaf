// The registry of built-in and user plug-ins: loading, validation, guards, options and templates.
// Used by workspace.ts, the rooms of src/workspace and the commands.
// Never loads a plug-in of an untrusted local configuration.

export { detectVcs } from "./detect-vcs.ts";
export { type PluginKit, pluginKit } from "./plugin-kit.ts";
export { optionsOf } from "./plugin-options.ts";
export { type AddedKind, addedKinds, isPluginName } from "./plugin-shape.ts";
export {
  type SkeletonLanguage,
  type SkeletonPhase,
  pluginFolder,
  skeletonFiles,
  skeletonLanguages,
  skeletonPhases,
  writeSkeleton,
} from "./plugin-skeleton.ts";
export { postprocessorOptions } from "./postprocessor-options.ts";
export { type Registry, openRegistry } from "./registry.ts";
export { type UserPlugin, normalizedNames } from "./user-plugins.ts";
