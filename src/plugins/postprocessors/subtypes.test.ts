import { describe, expect, it } from "vitest";
import { isObject, JsonNumber, jsonObject, textAt } from "../../core/values/json.ts";
import { modelsOf } from "../../core/profiles/model.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { fastCheck, linearRegression } from "../checkers/regression-checkers.ts";
import { localStatisticsChecker } from "../checkers/local-statistics.ts";
import { integralComparison } from "../checkers/integral-comparison.ts";
import { kernelRegression } from "./kernel-regression.ts";
import { movingAverage } from "./moving-average.ts";
import { regressionAnalysis } from "./regression-analysis.ts";
import { regressogram } from "./regressogram.ts";

/** Each subtype of one location is a line with its own slope. */
function lines(slopes: Readonly<Record<string, number>>): Run {
  const sizes = Array.from({ length: 40 }, (_, i) => i + 1);
  return profileOf({
    type: "mixed",
    cmd: "./io",
    workload: "",
    units: { "mixed(T)": "us", "mixed(R)": "MByte/s" },
    collector: { name: "command", params: jsonObject({}) },
    subjects: Object.entries(slopes).map(([subtype, slope]) => ({
      properties: jsonObject({ type: "mixed", subtype, uid: "./io" }),
      columns: [
        { name: "structure-unit-size", type: "integer", values: sizes },
        { name: "amount", type: "float", values: sizes.map((size) => slope * size) },
      ],
    })),
  });
}

const likePerun: Values = new Map([["compat", "perun"]]);

const labels = (run: Run): (readonly [string | undefined, string | undefined])[] =>
  run.models.filter(isObject).map((model) => [textAt(model, "uid"), textAt(model, "subtype")] as const);

describe.each([regressogram, movingAverage, kernelRegression])("$name", (unit) => {
  it("fits a model per subtype of a location, and records it", () => {
    expect(labels(unit.apply(lines({ T: 1, R: 500 }), new Map()))).toEqual([
      ["./io", "T"],
      ["./io", "R"],
    ]);
  });

  it("omits the only subtype, and combines all for Perun", () => {
    expect(labels(unit.apply(lines({ T: 1 }), new Map()))).toEqual([["./io", undefined]]);
    expect(labels(unit.apply(lines({ T: 1, R: 500 }), likePerun))).toEqual([["./io", undefined]]);
  });
});

const fitted = (slopes: Readonly<Record<string, number>>, options: Values = new Map()): Run =>
  regressionAnalysis.apply(lines(slopes), new Map([["regression-models", "linear"], ...options]));

describe("regressionAnalysis", () => {
  it("finds the line of each subtype, unlike a fit of all points", () => {
    const slopes = fitted({ T: 1, R: 500 }).models.map((model) => {
      const [, b1] = isObject(model) ? (model.get("coeffs") as ReadonlyMap<string, JsonNumber>[]) : [];
      return Math.round(b1?.get("value")?.value ?? Number.NaN);
    });
    expect(slopes).toEqual([1, 500]);
    expect(modelsOf(fitted({ T: 1, R: 500 }, likePerun))[0]?.rSquared).toBeLessThan(0.6);
  });

  it("produces models that are compared by subtype", () => {
    const changes = integralComparison.check(fitted({ T: 1, R: 500 }), fitted({ T: 3, R: 500 }), new Map());
    expect(changes.map(({ location, result }) => [location, result])).toEqual([
      ["./io [R]", "NoChange"],
      ["./io [T]", "Degradation"],
    ]);
  });
});

it.each([integralComparison, localStatisticsChecker, linearRegression, fastCheck])(
  "$name takes a throughput that rose for better",
  (unit) => {
    const results = (options: Values): string[][] =>
      unit
        .check(fitted({ T: 1, R: 100 }), fitted({ T: 3, R: 300 }), options)
        .map(({ location, result }) => [location, result]);
    expect(results(new Map())).toEqual([
      ["./io [R]", "Optimization"],
      ["./io [T]", "Degradation"],
    ]);
  },
);
