// Changes, samples, verdicts, thresholds and triage decisions, as data.
// Used by checkers, queries, commands and report formats.
// Never tests a hypothesis and never reads the triage or threshold files.

export { assumedDirectionNotes } from "./assumed-directions.ts";
export {
  type Change,
  type ChangeEvidence,
  type ChangeInterval,
  type ChangeResult,
  changeResults,
  isDegradation,
  isOptimization,
  isUndecided,
  percentText,
  resultOfShare,
} from "./change.ts";
export { distinctStatuses, statusDifference } from "./exit-statuses.ts";
export { metricsByUnit } from "./metrics-by-unit.ts";
export { type Measured, type Measurements, knownUnit } from "./samples.ts";
export type { SubjectThreshold } from "./thresholds.ts";
export {
  type TriageEntry,
  type TriageMark,
  type TriageScope,
  type TriageState,
  type TriagedVerdict,
  positionOf,
  scopeText,
  triageStates,
} from "./triage.ts";
export type { CheckOutcome, VerdictOutput, VerdictReport } from "./verdict-report.ts";
export {
  type DerivedChange,
  type DoubtKind,
  type MachineScale,
  type PointEstimator,
  type Side,
  type Since,
  type SinceRange,
  type Verdict,
  type VerdictOutcome,
  verdictOutcomes,
} from "./verdict.ts";
