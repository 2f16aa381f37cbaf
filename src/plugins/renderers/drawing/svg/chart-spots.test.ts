import { expect, test } from "vitest";
import type { ChartBlock } from "../../../../core/figures/figure.ts";
import { chartSpots } from "./chart-spots.ts";
import { svgChart } from "./svg-figure.ts";
import { lookOf, themeOf } from "../theme.ts";

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

test("spots match the points of the picture and contain their values", async () => {
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

const parts = ["read", "write"].map((label, i) => {
  return {
    label,
    axis: 0 as const,
    x: Float64Array.of(0, 1),
    y: i === 0 ? Float64Array.of(30, -10) : Float64Array.of(10, -20),
  };
});
const bars: ChartBlock = {
  kind: "chart",
  mark: "bars",
  x: { label: "kind", scale: "category", categories: ["a", "b"] },
  y: [{ label: "time", scale: "linear" }],
  series: parts,
};

/** The boxes drawn in the style of a series. */
async function boxes(block: ChartBlock): Promise<Map<string, number[][]>> {
  const svg = await svgChart(block, paper, "c");
  const down = Number(/<g transform="translate\(0 ([\d.]+)\)">(?:<svg|<path)/.exec(svg)?.[1] ?? 0);
  const found = new Map<string, number[][]>();
  const add = (color: string, box: number[]): void => void found.set(color, [...(found.get(color) ?? []), box]);
  for (const [, x, y, width, height, color = ""] of svg.matchAll(
    /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="(#\w+)"/g,
  ))
    add(color, [Number(x), Number(y) + down, Number(x) + Number(width), Number(y) + Number(height) + down]);
  for (const [, x, y, width, height, color = ""] of svg.matchAll(
    /<path d="M([\d.]+) ([\d.]+)l([\d.]+) 0l0 ([\d.]+)l-[\d.]+ 0Z" fill="(#\w+)"/g,
  ))
    add(color, [Number(x), Number(y) + down, Number(x) + Number(width), Number(y) + Number(height) + down]);
  return found;
}

test.each([
  ["vertical", {}],
  ["vertical and stacked", { stacked: true }],
  ["horizontal", { lying: true }],
  ["horizontal and stacked", { lying: true, stacked: true }],
] as const)("spots of %s bars are within the drawn bars and contain their own values", async (_, kind) => {
  const block = { ...bars, ...kind };
  const spots = chartSpots(block, paper);
  expect(spots.map(({ text }) => text)).toEqual([
    "read: 30 at a",
    "read: -10 at b",
    "write: 10 at a",
    "write: -20 at b",
  ]);
  const drawn = await boxes(block);
  const isIn = ({ x, y }: { x: number; y: number }, [left = 0, top = 0, right = 0, bottom = 0]: number[]): boolean =>
    x > left && x < right && y > top && y < bottom;
  for (const [at, spot] of spots.entries()) {
    const color = lookOf(themeOf(false), Math.floor(at / 2)).color;
    expect(
      drawn.get(color)?.some((box) => isIn(spot, box)),
      spot.text,
    ).toBe(true);
  }
  // Bars of a stack do not overlap.
  for (const [a, b] of [
    [0, 2],
    [1, 3],
  ] as const) {
    const [one, other] = [spots[a]!, spots[b]!];
    const apart = Math.max(
      Math.abs(one.x - other.x) - one.halfWidth - other.halfWidth,
      Math.abs(one.y - other.y) - one.halfHeight - other.halfHeight,
    );
    expect(apart).toBeGreaterThan(-1);
  }
});

test("spots of stacked areas are centred in their own area", () => {
  const area: ChartBlock = { ...bars, mark: "area", stacked: true, x: { label: "time", scale: "linear" } };
  const spots = chartSpots(area, paper);
  const [read, , write] = spots;
  expect(spots.map(({ text }) => text)).toEqual([
    "read: 30 at 0",
    "read: -10 at 1",
    "write: 10 at 0",
    "write: -20 at 1",
  ]);
  expect((write?.y ?? 0) + (write?.halfHeight ?? 0)).toBeCloseTo((read?.y ?? 0) - (read?.halfHeight ?? 0));
  expect((read?.halfHeight ?? 0) / (write?.halfHeight ?? 1)).toBeCloseTo(3);
});
