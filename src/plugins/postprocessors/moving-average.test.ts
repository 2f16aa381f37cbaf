import { expect, it } from "vitest";
import { curve, lastModel, pointsRun, postprocessorContract } from "../../../test/contracts/postprocessor.ts";
import type { Value } from "../../core/values/value.ts";
import { movingAverage } from "./moving-average.ts";

const run = pointsRun({
  f: [
    [3, 9],
    [1, 1],
    [2, 5],
    [4, 1],
    [5, 4],
  ],
});
const ways = [
  [],
  [["moving-method", "smm"]],
  [["moving-method", "ema"]],
  [
    ["window-type", "hamming"],
    ["window-width", 3],
  ],
  [["compat", "perun"]],
] as const;
postprocessorContract(
  movingAverage,
  ways.map((options) => new Map<string, Value>(options)),
);

function smoothed(options: Record<string, Value>): Record<string, unknown> {
  return lastModel(movingAverage.apply(run, new Map(Object.entries(options))));
}

it("smooths along x", () => {
  expect(smoothed({ "window-width": 3, "min-periods": 1 })).toMatchObject({
    bucket_stats: [3, 5, 5, 14 / 3, 2.5],
    moving_method: "sma",
    window_width: 3,
    x_start: 1,
    x_end: 5,
  });
  expect(smoothed({ "window-width": 3, "min-periods": 1, center: false }).bucket_stats).toEqual([1, 3, 5, 5, 14 / 3]);
  expect(smoothed({ "window-width": 3, "moving-method": "smm" }).bucket_stats).toEqual([
    Number.NaN,
    5,
    5,
    4,
    Number.NaN,
  ]);
  expect(smoothed({ "window-width": 3, "min-periods": 1, "window-type": "triang" }).bucket_stats).toEqual(
    [7 / 3, 5, 6, 3.75, 3].map((value) => expect.closeTo(value, 9) as unknown),
  );
  expect(smoothed({ "moving-method": "ema", decay: "alpha", "window-width": 0.5 }).bucket_stats).toEqual(
    [1, 11 / 3, 47 / 7, 3.6666666666666665, 119 / 31].map((value) => expect.closeTo(value, 9) as unknown),
  );
  // Searches the centre of mass; 1 is the smallest.
  expect(smoothed({ "moving-method": "ema" })).toMatchObject({
    window_width: 1,
    bucket_stats: smoothed({ "moving-method": "ema", "window-width": 1 }).bucket_stats,
  });
});

it("searches a width per location; Perun uses that of the first", () => {
  const two = pointsRun({ a: curve(200, (x) => (x % 2) * 100), b: curve(200, (x) => x) });
  const widths = (options: readonly (readonly [string, Value])[]): unknown[] =>
    movingAverage
      .apply(two, new Map(options))
      .models.map((model) => (model as ReadonlyMap<string, { value: number }>).get("window_width")?.value);
  expect(widths([["min-periods", 1]])).toEqual([1, 9]);
  expect(
    widths([
      ["min-periods", 1],
      ["compat", "perun"],
    ]),
  ).toEqual([1, 1]);
  // Perun records the width after the one that fits well, and uses it for the next location.
  const lines = pointsRun({ a: curve(200, (x) => x), b: curve(200, (x) => x) });
  const [first, second] = movingAverage.apply(
    lines,
    new Map<string, Value>([
      ["min-periods", 1],
      ["compat", "perun"],
    ]),
  ).models as ReadonlyMap<string, unknown>[];
  expect([first, second].map((model) => (model?.get("window_width") as { value: number }).value)).toEqual([8, 8]);
  expect(first?.get("bucket_stats")).not.toEqual(second?.get("bucket_stats"));
});

it.each([
  [{ "window-width": 2.5 }, "window-width"],
  [{ "min-periods": 0 }, "min-periods"],
  [{ "moving-method": "ema", "min-periods": 0 }, "min-periods"],
  [{ "window-width": 3, "min-periods": 4 }, "min-periods"],
  [{ "moving-method": "ema", decay: "span", "window-width": 0 }, "window-width"],
  [{ "moving-method": "ema", decay: "halflife" }, "window-width"],
])("refuses %j", (options, named) => {
  expect(() => smoothed(options as Record<string, Value>)).toThrow(named);
});
