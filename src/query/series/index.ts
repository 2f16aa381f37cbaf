// Series of measurements by subject in the order of history, and their judgement with false-discovery control.
// Used by the check, trend and calibrate commands and src/query/pages.
// Never compares different machines unless requested, and never reads a store.

export { type ComparedSetting, reportIdentity } from "./compared-settings.ts";
export { BlockAdder, namesIn } from "./block-adder.ts";
export { type ChangeGroup, changeGroups, groupCounts, groupText, inGroups } from "./change-groups.ts";
export { type ExperimentColumns, addExperiment, cellNumbers } from "./experiment-points.ts";
export { canaryOf, clockRateOf, disturbanceOf } from "./disturbance.ts";
export { ExitStatuses } from "./exit-statuses.ts";
export type { DetectionOptions, Finding, ShiftSpan } from "./finding.ts";
export { judgeSeries } from "./judge-series.ts";
export { pointValues } from "./point-estimator.ts";
export { noiseRemedy, Quantiles, sameResolution } from "./level-comparison.ts";
export { type Line, lineOf, selectPoints } from "./line.ts";
export type { RunVersions, SkippedRows } from "./measurements.ts";
export { scaledLine } from "./one-scale.ts";
export { SameMachineFilter } from "./same-machine.ts";
export {
  type Sample,
  type SampleBlock,
  type SampledSubject,
  type StoredBlock,
  blockOfColumns,
  blockOfProfile,
  blockSize,
  concatenateBlocks,
  restoredBlock,
  storedBlock,
  subjectsSize,
} from "./sample-block.ts";
export {
  type LocationSample,
  growthMetric,
  hasSizes,
  locationGrowths,
  locationSamples,
  reportMachines,
  reportSamples,
} from "./samples.ts";
export { isComplete, type SampleCells, valuesIn } from "./sample-cells.ts";
export { layoutWords, type SampleLayout, SampleLayouts } from "./sample-layout.ts";
export { SeriesBuilder } from "./series-builder.ts";
export { PlantedShifts, type SeriesVerdicts, seriesVerdicts, verdictCounts } from "./series-verdicts.ts";
