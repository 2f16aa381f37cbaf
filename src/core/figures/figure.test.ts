import { expect, test } from "vitest";
import { drawablePoints, omittedNote, type Axis, type ChartBlock } from "./figure.ts";

function chart(
  scale: Axis["scale"],
  y: readonly number[],
  low: readonly number[],
  high: readonly number[],
): ChartBlock {
  const numbers = (values: readonly number[]): Float64Array => Float64Array.from(values);
  const series = [
    {
      label: "s",
      axis: 0 as const,
      x: numbers(y.map((_, i) => i + 1)),
      y: numbers(y),
      low: numbers(low),
      high: numbers(high),
    },
  ];
  return { kind: "chart", mark: "line", x: { label: "x", scale: "linear" }, y: [{ label: "y", scale }], series };
}

test("a log axis clips error bars but keeps the interval", () => {
  const block = chart("log", [2, 3], [-1, Number.NaN], [5, 4]);
  expect(drawablePoints(block, block.series[0] as ChartBlock["series"][0])).toEqual([
    { x: 1, y: 2, low: 2, high: 5, interval: [-1, 5] },
    { x: 2, y: 3, low: 3, high: 4, interval: [3, 4] },
  ]);
});

test("counts points omitted by a log axis, but not those without a number", () => {
  const left = (scale: Axis["scale"], ...y: number[]): string | undefined => omittedNote(chart(scale, y, y, y));
  expect(left("log", 1, 0, -2, Number.NaN)).toBe("2 points have no logarithm");
  expect(left("log", 1, 0)).toBe("1 point has no logarithm");
  expect([left("log", 1), left("linear", 1, 0, -2)]).toEqual([undefined, undefined]);
});
