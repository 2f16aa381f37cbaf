import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChartBlock } from "./figure.ts";
import { stackedChart } from "./stacked-chart.ts";

function chart(rows: readonly (readonly number[])[], stacked: boolean): ChartBlock {
  const axis = { label: "a", scale: "linear" } as const;
  const series = rows.map((y, i) => ({
    label: String(i),
    axis: 0 as const,
    x: Float64Array.from(y.keys()),
    y: Float64Array.from(y),
  }));
  return { kind: "chart", mark: "bars", x: axis, y: [axis], series, ...(stacked ? { stacked: true as const } : {}) };
}

const heights = (block: ChartBlock): number[][] => block.series.map(({ y }) => [...y]);

describe("stackedChart", () => {
  it("sums values at the same x, upwards and downwards, and skips missing ones", () => {
    const rows = [
      [1, -2, Number.NaN],
      [2, 5, 3],
      [0, -4, 1],
    ];
    expect(heights(stackedChart(chart(rows, true)))).toEqual([
      [1, -2, Number.NaN],
      [3, 5, 3],
      [3, -6, 4],
    ]);
  });

  it("keeps other charts and other marks", () => {
    const block = chart([[1], [2]], false);
    expect(stackedChart(block)).toBe(block);
    const lines = { ...chart([[1], [2]], true), mark: "line" as const };
    expect(heights(stackedChart(lines))).toEqual([[1], [2]]);
  });

  it("moves error bars with their points", () => {
    const block = chart([[1], [2]], true);
    const [first, second] = block.series;
    const series = [first!, { ...second!, low: Float64Array.of(1.5), high: Float64Array.of(2.5) }];
    expect(stackedChart({ ...block, series }).series[1]).toMatchObject({
      low: Float64Array.of(2.5),
      high: Float64Array.of(3.5),
    });
  });

  it("reaches the sum of all", () => {
    const row = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const sums = [0, 1, 2, 3].map((i) => rows.reduce((sum, each) => sum + (each[i] ?? 0), 0));
        expect(heights(stackedChart(chart(rows, true))).at(-1)).toEqual(sums);
      }),
    );
  });
});
