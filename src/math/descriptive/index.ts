// Descriptive statistics: moments, quantiles, robust scale, outliers, extent.
// Used by math, query and plug-ins; input is plain numbers.
// Never knows units, variables or tables, and never mutates its input unless its name says so.

export { extent } from "./extent.ts";
export { median, medianBetween, middleRanks, quantile, quantileOfSorted, quartiles } from "./quantile.ts";
export { medianInPlace } from "./quickselect.ts";
export { areEqualCounts, areRepeatedCounts } from "./repeated-counts.ts";
export { type Outlier, madFactor, outliers, quartileDispersion, robustScale, splitInTwo } from "./robust-statistics.ts";
export { ReusedArray } from "./reused-array.ts";
export { geometricMean, mean, moments, sum } from "./summary-statistics.ts";
