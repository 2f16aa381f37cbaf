// Decides what got worse or better: checks, comparisons, trends, calibration, triage and explanations.
// Used by the verbs check, compare, trend, calibrate, changepoints and triage, and by reports.
// Never measures, and never computes a test itself (query, math).

export { triageVerdicts } from "./apply-triage.ts";
export { type CalibrateOptions, type Calibration, calibrate } from "./calibrate.ts";
export { changeVerdicts, noBaselineReason, pairVerdicts } from "./change-verdicts.ts";
export { type ProfileCheck, type VersionCheck, checkAll, checkHead } from "./check-history.ts";
export { type CheckMethod, checkMethods } from "./check-methods.ts";
export { type CheckedPair, checkProfiles } from "./check-profiles.ts";
export {
  type CheckSeriesOptions,
  type CheckedSeries,
  type JudgedSeries,
  checkSeries,
  judgeSeries,
} from "./check-series.ts";
export { groupCounts, groupText, inGroups, noiseRemedy } from "../../query/series/index.ts";
export { compareRuns, hasRegression, isInconclusive } from "./compare-runs.ts";
export { measuredSide, roundSamples } from "./compare-sides.ts";
export { type CompareRequest, type Comparison, compare, compareSides, judgeSides } from "./compare.ts";
export { openVerdicts, worstChange } from "../../query/verdict/index.ts";
export { type SeriesResult, changePoints } from "./detection.ts";
export type { Suspect, Why } from "./explain-verdict.ts";
export { renderVerdicts, verdictFormats } from "./render-verdicts.ts";
export { type Trend, type Trends, sparkline, trends } from "./trends.ts";
export { type ListedEntry, addTriage, checkTriage, listTriage } from "./triage.ts";
