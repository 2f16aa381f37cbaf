import { expect, it } from "vitest";
import { curve, lastModel, pointsRun, postprocessorContract } from "../../../test/contracts/postprocessor.ts";
import { regressogram } from "./regressogram.ts";

postprocessorContract(regressogram, [
  new Map(),
  new Map([["bucket-number", 7]]),
  new Map([["statistic-function", "median"]]),
  new Map([["compat", "perun"]]),
]);

const line = pointsRun({ f: curve(100, (x) => x) });

it("returns the mean of each interval, 0 without points", () => {
  const model = lastModel(regressogram.apply(line, new Map([["bucket-number", 4]])));
  expect(model).toMatchObject({
    bucket_stats: [13, 38, 63, 88],
    buckets_method: "user",
    x_start: 1,
    x_end: 100,
    y_start: 1,
    uid: "f",
  });
  const gap = pointsRun({
    f: [
      [0, 5],
      [1, 7],
      [10, 9],
      [9.5, 100],
      [9.9, 9],
    ],
  });
  expect(
    lastModel(
      regressogram.apply(
        gap,
        new Map<string, string | number>([
          ["bucket-number", 5],
          ["statistic-function", "median"],
        ]),
      ),
    ).bucket_stats,
  ).toEqual([6, 0, 0, 0, 9]);
});

it.each([
  ["sqrt", 10],
  ["sturges", 8],
  ["rice", 10],
  ["scott", 5],
  ["fd", 5],
  ["doane", 8],
  ["auto", 8],
])("%s covers 100 even points with %i intervals", (method, count) => {
  const model = lastModel(regressogram.apply(line, new Map([["bucket-method", method]])));
  expect(model.bucket_stats).toHaveLength(count);
  expect(model.r_square).toBeGreaterThan(0.9);
});

it("uses the width as the count only for Perun", () => {
  const points = pointsRun({ f: curve(14, (x) => 2 ** x).map(([x, y]) => [((x - 1) * 110) / 13, y] as const) });
  const sqrt: readonly [string, string] = ["bucket-method", "sqrt"];
  expect(lastModel(regressogram.apply(points, new Map([sqrt]))).bucket_stats).toHaveLength(4);
  expect(lastModel(regressogram.apply(points, new Map([sqrt, ["compat", "perun"]]))).bucket_stats).toHaveLength(29);
});

it("refuses an invalid number of buckets", () => {
  expect(() => regressogram.apply(line, new Map([["bucket-number", 0]]))).toThrow("bucket-number");
});
