// The experiments of one database: queries, changes, checks, copies and moves.
// For commands and the workspace; this is the way to an experiment database.
// Never changes anything without a ledger entry in the same transaction.

export type { ExperimentFinding } from "./check-experiments.ts";
export { Experiments, type MovedRights } from "./experiments.ts";
export type { MovableExperiment, MoveNote, MoveNotes, MoveStep, MovedExperiment } from "./move-experiment.ts";
export type { DigestedValues } from "./run-digests.ts";
