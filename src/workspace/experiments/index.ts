// Location, opening, migration and rebuilding of the databases of experiments.
// Used by the commands and by src/workspace/share and src/workspace/serve.
// Never contains SQL or the storage layout: these belong to src/store.

export {
  type ExperimentHome,
  embeddedDatabase,
  embeddedFile,
  experimentFolder,
  experimentHome,
  experimentNames,
  experimentVariables,
  isServer,
  openShardServer,
  withExperiment,
  withExperiments,
} from "./experiments.ts";
export { moveNotes } from "./move-notes.ts";
export { damageOf, identityOf, recoverDatabase } from "./recover-database.ts";
export { rebuildDatabase } from "./rebuild-database.ts";
export { retryOnConflict } from "./retry-on-conflict.ts";
export { readUnchanged, withScratchDatabase } from "./scratch-database.ts";
