// Fuzzing campaigns: their state, output folder, effort gauges and runs of the program.
// Used by the commands of src/commands/fuzz.
// Never writes outside of the campaign's output folder.

export type { CampaignPlan, CampaignWorld } from "./campaign-plan.ts";
export {
  type CampaignFacts,
  type CampaignState,
  type Find,
  type FindChange,
  type FindKind,
  type Sample,
  excessOf,
  findFolders,
  findKinds,
} from "./campaign-state.ts";
export { Campaign, type SessionEnd } from "./campaign.ts";
export { FuzzFolder, digestOf } from "./fuzz-folder.ts";
export { type Gauge, type HotLine, timeGauge } from "./gauge.ts";
export { GcovCoverage, coverageEnvironment } from "./gcov-coverage.ts";
export { type FuzzedProgram, measuringShell, runProgram } from "./run-program.ts";
export { type InitialSample, maxSampleBytes, measureBaseline, selectSamples, startCampaign } from "./start-campaign.ts";
