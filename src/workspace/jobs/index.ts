// Plans, schedules and runs measurements, and builds profiles with noise reports; resumable after a kill.
// Used by the commands of src/commands/jobs and by src/workspace/verdicts.
// Never changes the user's working tree, index or head.

export { Batch, openBatch } from "./batch.ts";
export { findGenerator } from "./generators.ts";
export type { JobWatcher, JobsResult } from "./ledger.ts";
export { noiseWarnings } from "./noise-report.ts";
export {
  type JobPlan,
  type MatrixAxes,
  type MeasuredRound,
  type RequestedPlugin,
  type RunOrder,
  planJobs,
  runOrders,
} from "./plan.ts";
export { runPreRunCommands } from "./pre-run.ts";
export { runPlan } from "./runner.ts";
