// Creates, describes, finds, updates, moves, deletes, dumps and administers experiments and their runs.
// Used by the verbs of experiments, by perfbase's front end and by other rooms of commands.
// Never parses input files (import) and never computes statistics of results (query).

export {
  type ExperimentAccess,
  type ShardOptions,
  type ShardingResult,
  changeAccess,
  changeCreators,
  shardExperiment,
  showAccess,
  showCreators,
} from "./administer-experiment.ts";
export { type AttachOptions, type AttachmentRef, attach, attachmentBytes, detach, listAttachments } from "./attach.ts";
export { checkExperiments } from "./check-experiments.ts";
export { type CreatedExperiment, createExperiment, describedDatabase, describedName } from "./create-experiment.ts";
export {
  type DeleteTarget,
  type Deleted,
  deleteExperiment,
  partialText,
  requireDeletable,
} from "./delete-experiment.ts";
export { dumpExperiment } from "./dump-experiment.ts";
export { type FindOptions, type FoundRun, type FoundRuns, findRuns } from "./find-runs.ts";
export { type ExperimentInfo, type InfoOptions, infoExperiment } from "./info-experiment.ts";
export { type DescribedExperiment, describeExperiments, listExperiments } from "./list-experiments.ts";
export { type MoveOptions, movableExperiments, moveExperiments } from "./move-experiment.ts";
export { convert } from "./convert-description.ts";
export { showExperiment } from "./show-experiment.ts";
export { restoreExperiment } from "./restore-experiment.ts";
export { type RunTexts, type RunValues, listRuns, listValues } from "./run-values.ts";
export { undeleteExperiment } from "./undelete-experiment.ts";
export { type ExperimentChanges, type UpdateEffects, updateExperiment } from "./update-experiment.ts";
export { type ParameterSets, type ValueRange, countsOf, rangesOf } from "./value-ranges.ts";
