// The rows that describe experiments in a database: variables, runs, sources, attachments, parameter sets and rights.
// For the other rooms of the store; commands go through `experiments`.
// Never starts a transaction and never writes the ledger: the caller does both.

export { alterExperiment, planUpdate, withNewIds } from "./alter-experiment.ts";
export { type Attachment, deleteAttachment, findAttachment, insertAttachment, listAttachments } from "./attachments.ts";
export { runColumns, sourceColumns } from "./catalogue-rows.ts";
export { refuseDuplicate } from "./claims.ts";
export {
  type StoredExperiment,
  appendRows,
  experimentById,
  findDeleted,
  findExperiment,
  insertExperiment,
  nextId,
  replaceRights,
  requireFreeName,
  uniqueName,
  withIds,
} from "./catalogue.ts";
export { ExperimentAccess, type ExperimentRights } from "./experiment-access.ts";
export { convertsUnits, valueCounts } from "./convert-units.ts";
export { type EqualRows, type MatchedRun, equalRows, matchedRuns } from "./equal-rows.ts";
export { type ExperimentSummary, type RunSummary, listExperiments, listRuns } from "./experiment-lists.ts";
export { markExperimentDeleted, touch, undeleteExperiment } from "./experiment-states.ts";
export {
  deleteParameterSet,
  listParameterSets,
  onceParameterValues,
  parameterSet,
  storeParameterSet,
} from "./parameter-sets.ts";
export {
  granteesOf,
  requireCreation,
  requireRight,
  rightFor,
  requireRoles,
  sameRights,
  unknownRoles,
} from "./rights.ts";
export { RunLabels, requireFreeLabels, requireLabel, runNumbers } from "./run-labels.ts";
export { deletedRuns, markRunsDeleted, purgeRuns, runsFrom, undeleteRuns } from "./run-states.ts";
export type { RunMetadata, Source } from "./run-metadata.ts";
export { RunWriter, type RunWriterOptions } from "./run-writer.ts";
