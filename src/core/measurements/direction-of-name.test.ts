import { expect, test } from "vitest";
import { parseUnit } from "../values/unit.ts";
import { directionOfMetric, directionOfName } from "./direction-of-name.ts";

test.each([
  ["ops", "higher"],
  ["ops/sec", "higher"],
  ["opsSec", "higher"],
  ["Requests/s", "higher"],
  ["MB/s", "higher"],
  ["throughput_mean", "higher"],
  ["conn/s", "higher"],
  ["eval_accuracy", "higher"],
  ["passed", "higher"],
  ["passes", undefined],
  ["availability", "higher"],
  ["transaction_rate", "higher"],
  ["Failures/s", "lower"],
  ["error_rate", "lower"],
  ["miss ratio", "lower"],
  ["failed_transactions", "lower"],
  ["rate_stddev", undefined],
  ["ops margin", undefined],
  ["items", undefined],
  ["elapsed", undefined],
  ["percentSlower", undefined],
  ["loops", undefined],
  ["duration", undefined],
  ["generation", undefined],
  ["assertions/s", "higher"],
  ["widgets per second", "higher"],
  ["faults/s", "lower"],
  ["MB/sample", undefined],
  ["https", undefined],
  ["operating", undefined],
  ["kops", "higher"],
  ["GFLOPS", "higher"],
  ["rps", "higher"],
  ["bitrate", "higher"],
])("%s: %s", (name, direction) => {
  expect(directionOfName(name)).toBe(direction);
});

test.each([
  ["accuracy", "%", "higher"],
  ["error_rate", "%", "lower"],
  ["ops", "", "higher"],
  ["ops", undefined, "higher"],
  ["ops", "s", undefined],
  ["cpu", "%", undefined],
])("%s in %s: %s", (name, unit, direction) => {
  expect(directionOfMetric(name, unit === undefined ? undefined : parseUnit(unit))).toBe(direction);
});
