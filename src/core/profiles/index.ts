// Runs and profiles: rows by location, models, stacks, comparability, differences.
// Used by profile formats, collectors, postprocessors, checkers, views and queries.
// Never encodes or decodes a file format, and never accesses the store.

export { canaryFromJson, canaryToJson } from "./canary.ts";
export {
  measuringSession,
  bestBaseline,
  changingRows,
  collectorOf,
  configurationKey,
  isComparable,
  latestOfEach,
} from "./comparable-profiles.ts";
export { type ListedProfile, type ProfileSortKey, inTagOrder, profileSortKeys } from "./listed-profile.ts";
export {
  type ExclusiveTime,
  type ParameterPoints,
  type Points,
  columnNamed,
  exclusiveTimes,
  locationName,
  locationOf,
  pointsByKind,
  pointsByParameters,
  pointsBySubtype,
  pointsByUid,
} from "./location-points.ts";
export { type FormulaModel, type Model, type SampledModel, modelsOf } from "./model.ts";
export { PairTable } from "./pair-index.ts";
export {
  type CodeLocation,
  type ComparedProfiles,
  type ComparedVersions,
  type Cost,
  type CostChange,
  type DifferenceGrouping,
  type DifferenceSide,
  type ProfileDifference,
  differenceGroupings,
} from "./profile-difference.ts";
export {
  type SubjectWorkload,
  WorkloadNames,
  configurationText,
  isOfBenchmark,
  locationOfKey,
  profileKey,
  workloadText,
} from "./profile-subject.ts";
export { parsedUnit, unitsOf } from "./profile-units.ts";
export {
  type Facts,
  type RowKind,
  commonParameters,
  derivedQuantities,
  hasBenchmarkResults,
  kindNames,
  metricOfSubtype,
  parametersOf,
  rowKinds,
  subjectLocations,
  subtypesOf,
  wallClock,
  workloadsOf,
} from "./row-kinds.ts";
export type { Run, Step } from "./run.ts";
export {
  type SampleLabel,
  type SampleLabels,
  type StackFacts,
  type StackFrame,
  type StackModule,
  type StackProfile,
  StackSamples,
  type Timeline,
  type TimelineTrack,
  type ValueType,
  plainName,
} from "./stack-profile.ts";
export { StackTable } from "./stack-table.ts";
export {
  type OwnTimeline,
  TimelineBuilder,
  boundedTimeline,
  timelineIn,
  timelineJson,
  timelineOf,
} from "./timeline.ts";
