// Kernels, bandwidths, bins, moving windows and local regression.
// Used by postprocessors and queries.
// Never knows columns or locations.

export { binStatistics } from "./bin-statistics.ts";
export { binWidthRules, binsOf } from "./bin-width.ts";
export { type Kernel, bandwidthRules, covarianceRules, kernels, robustSpread } from "./kernels.ts";
export {
  type DistinctPoints,
  type Estimate,
  correctedAkaike,
  distinctPoints,
  estimates,
  leaveOneOutError,
  localConstant,
  localLinear,
  localPolynomial,
} from "./local-regression.ts";
export { exponentialMean, movingMean, movingMedian, weightedMovingMean, windows } from "./moving-window.ts";
