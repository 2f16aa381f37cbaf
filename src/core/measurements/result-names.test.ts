import { expect, test } from "vitest";
import { namesCondition, namesOutcome, namesResult } from "./result-names.ts";

test.each(["latency_us", "errors", "Failed requests", "p99", "mean", "cache misses", "throughput_ops", "ops/s"])(
  "%s is an outcome without doubt",
  (name) => {
    expect(namesResult(name)).toBe(true);
  },
);

test.each([
  "threads",
  "size",
  "rate",
  "target_rate",
  "link speed",
  "time",
  "memory",
  "timeout",
  "max_threads",
  "n",
  "id",
])("%s may be set by a user", (name) => {
  expect(namesResult(name)).toBe(false);
});

test("calls are outcomes, counts and repetitions conditions", () => {
  expect([namesOutcome("ncalls"), namesCondition("ncalls")]).toEqual([true, false]);
  expect([namesOutcome("repetitions"), namesCondition("repetitions")]).toEqual([false, true]);
});
