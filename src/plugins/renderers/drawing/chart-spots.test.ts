import { expect, test } from "vitest";
import type { ChartBlock } from "../../../core/figure.ts";
import { chartSpots } from "./chart-spots.ts";
import { svgChart } from "./svg-figure.ts";

const chart: ChartBlock = {
  kind: "chart",
  mark: "points",
  x: { label: "size", scale: "log2" },
  y: [{ label: "time", scale: "linear" }],
  series: [
    { label: "read", axis: 0, x: Float64Array.of(1, 8, 64), y: Float64Array.of(5, 17, 11) },
    { label: "write", axis: 0, x: Float64Array.of(2, 16), y: Float64Array.of(3, Number.NaN) },
  ],
};
const paper = { width: 700, height: 400, dark: false };

test("spots are where the picture has its points, and say their numbers", async () => {
  const spots = chartSpots(chart, paper);
  expect(spots.map(({ text }) => text)).toEqual(["read: 5 at 1", "read: 17 at 8", "read: 11 at 64", "write: 3 at 2"]);
  const svg = await svgChart(chart, paper, "c");
  const down = Number(/<g transform="translate\(0 ([\d.]+)\)"><svg/.exec(svg)?.[1] ?? 0);
  const drawn = [...svg.matchAll(/transform="matrix\([\d.]+,0,0,[\d.]+,([\d.]+),([\d.]+)\)"/g)].map(([, x, y]) => [
    Number(x),
    Number(y) + down,
  ]);
  for (const spot of spots) {
    const nearest = Math.min(...drawn.map(([x = 0, y = 0]) => Math.hypot(x - spot.x, y - spot.y)));
    expect(nearest, spot.text).toBeLessThan(2);
  }
});

test("stacked charts have none: what is drawn there is not what was measured", () => {
  expect(chartSpots({ ...chart, mark: "area", stacked: true }, paper)).toEqual([]);
});
