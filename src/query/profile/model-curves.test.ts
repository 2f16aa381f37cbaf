import { expect, test } from "vitest";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { readJson } from "../../formats/json/json.ts";
import type { Json } from "../../core/values/json.ts";
import { modelCurves } from "./model-curves.ts";

const none = tableOf([], []);

function curve(model: object, resources: Table = none): [number, number][] {
  const models = readJson(
    new TextEncoder().encode(JSON.stringify([{ uid: "f", ...model }]).replaceAll("null", "Infinity")),
    "f",
  ) as readonly Json[];
  return rowsOf(modelCurves(models, resources)).map((row) => [Number(row[3]), Number(row[4])]);
}

const coeffs = (...values: number[]): object[] => values.map((value, at) => ({ name: `b${at}`, value }));

test.each([
  ["constant", [7], (_: number) => 7],
  ["linear", [1, 2], (x: number) => 1 + 2 * x],
  ["quadratic", [1, 2, 3], (x: number) => 1 + 2 * x + 3 * x * x],
  ["logarithmic", [1, 2], (x: number) => 1 + 2 * Math.log(x)],
  ["power", [2, 3], (x: number) => 2 * x ** 3],
  ["exponential", [2, 1.5], (x: number) => 2 * 1.5 ** x],
])("a %s model has 51 points on its interval", (model, values, formula) => {
  const points = curve({ model, coeffs: coeffs(...values), x_start: 10, x_end: 60 });
  expect(points.map(([x]) => x)).toEqual(Array.from({ length: 51 }, (_, at) => 10 + at));
  for (const [x, y] of points) expect(y).toBeCloseTo(formula(x), 9);
});

test("a regressogram has the ends of its buckets", () => {
  expect(curve({ model: "regressogram", bucket_stats: [5, 6], x_start: 0, x_end: 10, y_start: 1 })).toEqual([
    [0, 1],
    [5, 5],
    [10, 6],
  ]);
});

test("a smoothed curve has the positions of its rows, or equal distances without them", () => {
  const model = { model: "moving_average", bucket_stats: [1, 2, 3], x_start: 0, x_end: 10, per_key: "order" };
  const described = { role: "parameter", occurrence: "multiple" } as const;
  const variables = [
    { ...described, name: "uid", type: "text" as const },
    { ...described, name: "order", type: "integer" as const },
  ];
  const resources = tableOf(variables, [
    ["f", 10],
    ["g", 4],
    ["f", 1],
    ["f", 0],
  ]);
  expect(curve(model, resources).map(([x]) => x)).toEqual([0, 1, 10]);
  expect(curve(model).map(([x]) => x)).toEqual([0, 5, 10]);
});

test.each([
  ["without an interval", { model: "linear", coeffs: coeffs(1, 2) }],
  ["of an endless interval", { model: "linear", coeffs: coeffs(1, 2), x_start: 1, x_end: Infinity }],
  ["of an unknown kind", { model: "toString", x_start: 0, x_end: 1 }],
  ["without a kind", { x_start: 0, x_end: 1 }],
])("a model %s has no points", (_, model) => {
  expect(curve(model)).toEqual([]);
});

test("a curve of one subtype has the positions of its rows, and its name", () => {
  const column = { role: "parameter", occurrence: "multiple", type: "text" } as const;
  const resources = tableOf(
    [
      { ...column, name: "uid" },
      { ...column, name: "subtype" },
      { ...column, name: "size", type: "integer" },
    ],
    [
      ["f", "T", 1],
      ["f", "R", 2],
      ["f", "T", 5],
    ],
  );
  const text =
    '[{"uid":"f","subtype":"T","model":"moving_average","per_key":"size","x_start":1,"x_end":5,"bucket_stats":[7,8]}]';
  const models = readJson(new TextEncoder().encode(text), "f") as readonly Json[];
  expect(rowsOf(modelCurves(models, resources)).map((row) => row.slice(1))).toEqual([
    ["f [T]", "moving_average", 1, 7],
    ["f [T]", "moving_average", 5, 8],
  ]);
});
