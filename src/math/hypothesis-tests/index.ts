// Rank-sum, signed-rank, sign, Student's t and Mann-Kendall tests, intervals, false discovery rate.
// Used by verdicts, mining, calibration and detectors.
// Never decides: callers compare p-values to their significance level.

export { falseDiscovery, wilsonInterval } from "./false-discovery.ts";
export { inversions } from "./inversions.ts";
export {
  type AssumedNoise,
  type LevelChange,
  levelChange,
  pairedChange,
  pBeyond,
  shiftInterval,
  withinVariance,
} from "./level-change.ts";
export { mannKendall, varianceInflation } from "./mann-kendall.ts";
export {
  type Interval,
  type Shift,
  medianInterval,
  medianRank,
  noInterval,
  sequentialMedianInterval,
  sequentialRank,
  sequentialSignTest,
  signEvidence,
  signTail,
  signedRankShift,
  signedRankTest,
} from "./paired-tests.ts";
export { correlationTest } from "./rank-correlation.ts";
export { detectableChange, leastP, mannWhitney, rankSumTest, shiftBetween } from "./rank-sum.ts";
export { type Stratum, stratifiedRankSum } from "./stratified-rank-sum.ts";
export { studentTest } from "./student-t-test.ts";
