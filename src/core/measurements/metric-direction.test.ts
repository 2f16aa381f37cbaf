import { expect, test } from "vitest";
import { parseUnit } from "../values/unit.ts";
import { metricDirection } from "./metric-direction.ts";

test.each([
  ["packets", ""],
  ["laps", ""],
  ["requests", undefined],
  ["share", "%"],
])("of %s in '%s', lower is assumed to be better", (name, unit) => {
  expect(metricDirection(name, unit === undefined ? undefined : parseUnit(unit))).toEqual({
    better: "lower",
    isDirectionAssumed: true,
  });
});

test.each([
  ["packets", "s"],
  ["elapsed", ""],
  ["cpu", "%"],
  ["allocations", undefined],
  ["max_rss_kb", ""],
  ["ops_stddev", ""],
  ["error_rate", "%"],
])("of %s in '%s', lower is better", (name, unit) => {
  expect(metricDirection(name, unit === undefined ? undefined : parseUnit(unit))).toEqual({ better: "lower" });
});

test("a declaration, a rate and a name state that higher is better", () => {
  const higher = { better: "higher" };
  expect(metricDirection("packets", undefined, "higher")).toEqual(higher);
  expect(metricDirection("packets", parseUnit("1/s"))).toEqual(higher);
  expect(metricDirection("throughput", undefined)).toEqual(higher);
});

test("a declared lower is no assumption", () => {
  expect(metricDirection("packets", undefined, "lower")).toEqual({ better: "lower" });
});
