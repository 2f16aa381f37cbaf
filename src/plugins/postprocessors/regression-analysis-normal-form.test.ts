import { expect, it, test } from "vitest";
import { lastModel } from "../../../test/contracts/postprocessor.ts";
import type { Run } from "../../core/profiles/run.ts";
import { jsonObject } from "../../core/values/json.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { decodeProfile, encodeProfile } from "../../formats/profile/profile.ts";
import { regressionAnalysis } from "./regression-analysis.ts";

const points = [16, 32, 64, 128, 256].flatMap((n) => [4, 8, 16, 32, 64].map((p) => [n, p] as const));

function run(f: (n: number, p: number) => number, at: readonly (readonly [number, number])[] = points): Run {
  return profileOf({
    type: "time",
    cmd: "./solve",
    workload: "",
    units: { time: "s" },
    collector: { name: "time", params: jsonObject({}) },
    subjects: [
      {
        properties: jsonObject({ type: "time", uid: "solve" }),
        columns: [
          { name: "n", type: "float", values: at.map(([n]) => n) },
          { name: "p", type: "float", values: at.map(([, p]) => p) },
          { name: "amount", type: "float", values: at.map(([n, p]) => f(n, p)) },
        ],
      },
    ],
  });
}

const options = (...pairs: readonly (readonly [string, string])[]): Map<string, string> => new Map(pairs);

it("models several columns, with intervals and predictions, and keeps the record in the profile", () => {
  const after = regressionAnalysis.apply(
    run((n, p) => 5 + 2 * n * p),
    options(["per-key", "n,p"], ["predict", "n=512,p=128,n=64,p=16"]),
  );
  expect(lastModel(decodeProfile(encodeProfile(after)))).toMatchObject({
    model: "normal_form",
    uid: "solve",
    per_key: "n,p",
    formula: "5 + 2 * n * p",
    points: 25,
    parameters: [
      { name: "n", start: 16, end: 256 },
      { name: "p", start: 4, end: 64 },
    ],
    terms: [
      { term: "1", factors: [] },
      {
        term: "n * p",
        factors: [
          { name: "n", exponent: 1, logarithm: 0 },
          { name: "p", exponent: 1, logarithm: 0 },
        ],
      },
    ],
    predictions: [
      { at: { n: 512, p: 128 }, extrapolated: true },
      { at: { n: 64, p: 16 }, extrapolated: false },
    ],
  });
});

it("models one column by the normal form when it is named", () => {
  const one = points.filter(([, p]) => p === 4);
  const after = regressionAnalysis.apply(
    run((n) => 1 + n * Math.log2(n), one),
    options(["per-key", "n"], ["regression-models", "normal-form"]),
  );
  expect(lastModel(after)).toMatchObject({ formula: "1 + 1 * n * log2(n)" });
});

it("says which parameter has too few values, and when a constant is as good", () => {
  const notes: string[] = [];
  const few = points.filter(([, p]) => p < 32);
  const apply = (given: Run): Run =>
    regressionAnalysis.apply(given, options(["per-key", "n,p"]), (text) => notes.push(text));
  expect(apply(run((n) => n, few)).models).toEqual([]);
  expect(lastModel(apply(run(() => 3)))).toMatchObject({ formula: "3", terms: [{ term: "1", value: 3 }] });
  expect(notes).toEqual([
    "solve: p has 3 different values; a model needs 5",
    "solve: no model of n, p is better than a constant",
  ]);
});

test.each([
  [[["per-key", "n,q"]], "q"],
  [[["per-key", "n,n"]], "per-key"],
  [[["per-key", "n,"]], "per-key"],
  [
    [
      ["per-key", "n,p"],
      ["method", "interval"],
    ],
    "method",
  ],
  [
    [
      ["per-key", "n,p"],
      ["regression-models", "linear"],
    ],
    "regression-models",
  ],
  [
    [
      ["per-key", "n,p"],
      ["predict", "n=3"],
    ],
    "predict",
  ],
  [
    [
      ["per-key", "n,p"],
      ["predict", "n=3,p=0"],
    ],
    "predict",
  ],
  [
    [
      ["per-key", "n,p"],
      ["predict", "n=3,p=1,q=2"],
    ],
    "predict",
  ],
  [
    [
      ["per-key", "n,p"],
      ["compat", "perun"],
    ],
    "n,p",
  ],
] as const)("refuses %j", (given, named) => {
  expect(() =>
    regressionAnalysis.apply(
      run((n) => n),
      new Map(given as readonly (readonly [string, string])[]),
    ),
  ).toThrow(named);
});
