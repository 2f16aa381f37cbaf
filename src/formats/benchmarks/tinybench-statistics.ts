import type { ReportMetric } from "../../core/measurements/index.ts";
import type { JsonLocation } from "../json/index.ts";
import { divideAll, numbersIn } from "./report/build-report.ts";

/** tinybench reports times in milliseconds. */
const milliseconds = 1e3;

export const tinybenchMetrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower" },
  { name: "mean", unit: "s", better: "lower" },
  { name: "median", unit: "s", better: "lower" },
  { name: "stddev", unit: "s" },
  { name: "min", unit: "s", better: "lower" },
  { name: "max", unit: "s", better: "lower" },
  { name: "p75", unit: "s", better: "lower" },
  { name: "p99", unit: "s", better: "lower" },
  { name: "p995", unit: "s", better: "lower" },
  { name: "p999", unit: "s", better: "lower" },
  { name: "moe", unit: "s", synopsis: "half the width of the confidence interval of the mean" },
  { name: "rate", unit: "1/s", better: "higher", synopsis: "runs per second" },
  { name: "samples", better: "higher", synopsis: "number of samples" },
];

const times = [
  ["mean", "mean"],
  ["median", "median"],
  ["median", "p50"],
  ["stddev", "sd"],
  ["min", "min"],
  ["max", "max"],
  ["p75", "p75"],
  ["p99", "p99"],
  ["p995", "p995"],
  ["p999", "p999"],
  ["moe", "moe"],
] as const;

/**
 * The values of a tinybench task: times are top-level, or in `latency` since version 3. Samples are sorted, not in
 * measurement order.
 */
export function tinybenchValues(result: JsonLocation): Map<string, number | Float64Array> {
  const latency = result.maybe("latency") ?? result;
  const values = new Map<string, number | Float64Array>();
  const samples = latency.maybe("samples")?.numbers() ?? new Float64Array(0);
  if (samples.length > 0) values.set("time", divideAll(samples, milliseconds));
  for (const [name, value] of numbersIn(latency, times, milliseconds)) values.set(name, value);
  for (const [name, value] of numbersIn(result, [["rate", "hz"]])) values.set(name, value);
  const throughput = result.maybe("throughput");
  if (throughput) for (const [name, value] of numbersIn(throughput, [["rate", "mean"]])) values.set(name, value);
  for (const [name, value] of numbersIn(result, [["samples", "sampleCount"]])) values.set(name, value);
  return values;
}
