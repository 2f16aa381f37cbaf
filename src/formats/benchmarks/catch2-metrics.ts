import type { ReportMetric } from "../../core/measurements/index.ts";

/** Metrics of a Catch2 benchmark, the same for all reporters. */
export const catch2Metrics: readonly ReportMetric[] = [
  { name: "mean", unit: "s", better: "lower", synopsis: "mean wall time of a call" },
  { name: "lower", unit: "s", better: "lower", synopsis: "lower bound of the mean" },
  { name: "upper", unit: "s", better: "lower", synopsis: "upper bound of the mean" },
  { name: "stddev", unit: "s" },
  { name: "stddev_lower", unit: "s" },
  { name: "stddev_upper", unit: "s" },
  { name: "samples", better: "higher", whole: true },
  { name: "iterations", better: "higher", whole: true, synopsis: "calls in each sample" },
];
