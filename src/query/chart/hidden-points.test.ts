import { expect, test } from "vitest";
import type { ChartBlock, Figure } from "../../core/figures/figure.ts";
import { hiddenPointNotes } from "./build-chart.ts";

function figureOf(x: readonly number[], y: readonly number[], log: Partial<Record<"x" | "y", true>> = {}): Figure {
  const axis = (label: string, isLog: true | undefined): ChartBlock["x"] => ({
    label,
    scale: isLog ? "log" : "linear",
  });
  const series = [{ label: "t", axis: 0, x: Float64Array.from(x), y: Float64Array.from(y) } as const];
  const block = { kind: "chart", mark: "line", x: axis("size", log.x), y: [axis("t", log.y)], series } as const;
  return { title: "t", blocks: [block] };
}

test("counts points without a position on the horizontal axis", () => {
  expect(hiddenPointNotes(figureOf([1, Number.NaN], [2, 3]))).toEqual([
    "1 point is not drawn: without a value of size",
  ]);
});

test("counts points at or below 0 on logarithmic axes once", () => {
  expect(hiddenPointNotes(figureOf([0, -1, 1, 2], [0, 1, -1, 2], { x: true, y: true }))).toEqual([
    "3 points are not drawn: at or below 0 on a logarithmic axis",
  ]);
});

test("ignores missing values and points that are drawn", () => {
  expect(hiddenPointNotes(figureOf([0, Number.NaN, -1], [1, Number.NaN, -2]))).toEqual([]);
});
