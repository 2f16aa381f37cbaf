import { expect, it } from "vitest";
import { parseUnit } from "../values/index.ts";
import { derivedMetrics, type NamedMetric } from "./derived-metrics.ts";

/** `name unit`; a `+` says that the metric has a direction. */
function metrics(list: string): NamedMetric[] {
  return list.split(", ").map((text) => {
    const [, name = "", unit] = /^(\S+?)\+?(?: (.+))?$/.exec(text) ?? [];
    const direction = /\+( |$)/.test(text) ? { better: "lower" as const } : {};
    return { name, ...(unit === undefined ? {} : { unit: parseUnit(unit) }), ...direction };
  });
}

const found = (list: string, isReport: boolean): object => Object.fromEntries(derivedMetrics(metrics(list), isReport));

it.each([
  [
    "statistics next to their values, in the report of a benchmark program",
    "time+ s, mean+ s, stddev s, median+ s, min+ s, max+ s, user+ s, memory+ Byte, exit_code",
    { mean: "time", stddev: "time", median: "time", min: "time", max: "time", exit_code: "time" },
  ],
  ["statistics alone: the median stands for them", "min+ s, mean+ s, median+ s, iqr s", "median"],
  ["statistics alone: the mean", "min+ s, mean+ s, max+ s, margin %", "mean"],
  [
    "statistics next to processor times and percentiles only: the mean stands for them (hyperfine's console, JMH's)",
    "mean+ s, stddev s, min+ s, max+ s, user+ s, system+ s, p99+ s, exit_code",
    { stddev: "mean", min: "mean", max: "mean", exit_code: "mean" },
  ],
  [
    "statistics next to percentiles and rates: the mean stands for those of its unit (Vitest, HdrHistogram)",
    "mean+ s, stddev s, p75+ s, p99.9+ s, moe s, rate+ 1/s, samples, count",
    { stddev: "mean", moe: "mean", samples: "mean" },
  ],
  [
    "estimates of Criterion",
    "time+ s, typical+ s, mean+ s, median_abs_dev s, slope+ s, cycles+ cycle, cycles_typical+ cycle",
    { typical: "time", mean: "time", median_abs_dev: "time", slope: "time", cycles_typical: "cycles" },
  ],
  [
    "statistics of several metrics",
    "rate+ 1/s, latency_mean+ s, latency_stddev s, latency_p99+ s, latency_max+ s, margin %",
    { latency_stddev: "latency_mean", latency_max: "latency_mean", margin: "rate" },
  ],
  ["counters of the measurement", "time+ ns, rate+ Byte/s, iterations+", { iterations: "time" }],
])("finds %s", (_, list, wanted) => {
  const names = metrics(list).map(({ name }) => name);
  const all = typeof wanted === "string" ? names.filter((name) => name !== wanted).map((name) => [name, wanted]) : null;
  expect(found(list, true)).toEqual(all === null ? wanted : Object.fromEntries(all));
});

it("leaves results of described experiments alone that only sound like statistics", () => {
  expect(found("error, iterations, upper, time s, max_rss Byte", false)).toEqual({});
  expect(found("memory Byte, mean s, stddev s", false)).toEqual({ stddev: "mean" });
  expect(found("bandwidth MB/s, bandwidth_max MB/s, Max(bandwidth) MB/s", false)).toEqual({
    bandwidth_max: "bandwidth",
    "Max(bandwidth)": "bandwidth",
  });
});

it("never derives a metric from a derived one, nor all metrics", () => {
  for (const list of ["mean s, min s", "q1 s", "samples", "samples, rounds", "iterations, mean s"])
    for (const isReport of [true, false]) {
      const derived = derivedMetrics(metrics(list), isReport);
      expect([...derived.values()].filter((name) => derived.has(name))).toEqual([]);
      expect(derived.size).toBeLessThan(metrics(list).length);
    }
});
