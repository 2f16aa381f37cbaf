import { expect, test } from "vitest";
import { MetricList, statisticOf } from "./metric-list.ts";
import { toBaseUnit, reportUnit } from "./report-unit.ts";

test.each([
  ["ns", "s", "time", 1e-9],
  ["usec", "s", "time", 1e-6],
  ["Seconds", "s", "time", 1],
  ["minutes", "s", "time", 60],
  ["us/op", "s", "time", 1e-6],
  ["s/op", "s", "time", 1],
  ["ops/s", "1/s", "rate", 1],
  ["ops/ms", "1/s", "rate", 1000],
  ["ops/min", "1/s", "rate", 1 / 60],
  ["req/s", "1/s", "rate", 1],
  ["Frames Per Second", "1/s", "rate", 1],
  ["MB/sec", "Byte/s", "bandwidth", 1e6],
  ["MiB", "Byte", "bytes", 1 << 20],
  ["Megabytes", "Byte", "bytes", 1e6],
  ["KB", "Byte", "bytes", 1000],
  ["B/op", "Byte", "bytes", 1],
  ["#/op", "", "value", 1],
  ["counts", "", "value", 1],
  ["", "", "value", 1],
  ["Percent", "%", "percent", 1],
  ["cycles", "cycle", "cycles", 1],
  ["points", "points", "points", 1],
  ["furlong/fortnight", "furlong/fortnight", "furlong/fortnight", 1],
])("%s", (text, unit, quantity, one) => {
  const result = reportUnit(text);
  expect([result.unit, result.quantity, toBaseUnit(1, result)]).toEqual([unit, quantity, one]);
});

test("a metric with a known name and a different unit gets a new name", () => {
  const list = new MetricList();
  expect(
    ["s", "Byte", "s", undefined].map((unit) => list.add({ name: "mean", ...(unit === undefined ? {} : { unit }) })),
  ).toEqual(["mean", "mean_Byte", "mean", "mean_number"]);
  expect(list.metrics.map(({ name }) => name)).toEqual(["mean", "mean_Byte", "mean_number"]);
  expect([statisticOf("time", "mean"), statisticOf("rate", "mean")]).toEqual(["mean", "rate_mean"]);
});
