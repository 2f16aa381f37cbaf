// The shared history of experiments: merging the changes of several instances and applying the result to a database.
// For `experiments` and for sharing in the workspace.
// Never depends on the order in which changes arrive, and never sends a change twice.

export { type KnownChange, KnownChanges, decodeKnownChange } from "./known-changes.ts";
export { experimentUids, keysByEntry } from "./local-history.ts";
export {
  type MergeOptions,
  type MergedExperiment,
  type MergedExperiments,
  missingObjects,
  objectsOfShared,
} from "./merge-experiments.ts";
