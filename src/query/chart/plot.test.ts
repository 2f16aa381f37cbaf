import { describe, expect, it } from "vitest";
import type { ChartBlock, Figure, SurfaceBlock } from "../../core/figures/figure.ts";
import type { Column, Table } from "../../core/tables/table.ts";
import { formatUnit, parseUnit } from "../../core/values/unit.ts";
import type { DataType } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { drawPlot } from "./draw-plot.ts";
import { type Plot, statisticsOf } from "./plot.ts";

interface Given {
  readonly type: DataType;
  readonly unit?: string;
  readonly cells: readonly (number | string | null)[];
}

function tableOf(given: Readonly<Record<string, Given>>): Table {
  const names = Object.keys(given);
  const variables = names.map((name): Variable => {
    const { type, unit } = given[name] as Given;
    return {
      name,
      role: "result",
      occurrence: "multiple",
      type,
      ...(unit === undefined ? {} : { unit: parseUnit(unit) }),
    };
  });
  const columns = names.map((name) => columnOf((given[name] as Given).cells));
  return { variables, columns, length: Object.values(given)[0]?.cells.length ?? 0 };
}

function columnOf(cells: Given["cells"]): Column {
  if (cells.some((cell) => typeof cell === "string")) {
    const dictionary = [...new Set(cells.filter((cell) => cell !== null))].map(String);
    return { kind: "text", dictionary, codes: Int32Array.from(cells, (cell) => dictionary.indexOf(String(cell))) };
  }
  const missing = Uint8Array.from(cells, (cell) => Number(cell === null));
  return { kind: "number", values: Float64Array.from(cells, (cell) => Number(cell ?? 0)), missing, exact: null };
}

const mean = { statistic: "mean", errors: "none" } as const;
const plain: Plot = { title: "t", x: { name: "size" }, results: [{ name: "B", ...mean }], series: [], plots: [] };

/** Several means. */
function means(...names: readonly string[]): Plot["results"] {
  return names.map((name) => ({ name, ...mean }));
}

function plotFigure(table: Table, plot: Plot): Figure {
  return drawPlot(table, plot).figure;
}

const bandwidth = tableOf({
  size: { type: "integer", unit: "Byte", cells: [4096, 1024, 1024, 4096] },
  op: { type: "string", cells: ["read", "read", "write", "write"] },
  "B.mean": { type: "float", unit: "KiByte/s", cells: [4096, 2048, 1024, null] },
  "B.stddev": { type: "float", unit: "KiByte/s", cells: [512, 256, null, null] },
  "B.min": { type: "float", unit: "KiByte/s", cells: [3000, 2000, 1000, null] },
  "B.max": { type: "float", unit: "KiByte/s", cells: [5000, 2100, 1100, null] },
  "B.count": { type: "integer", cells: [4, 2, 1, 0] },
});

function chartOf(figure: Figure): ChartBlock {
  return figure.blocks[0] as ChartBlock;
}

describe("plotFigure", () => {
  it("plots a curve for each value of the series, along x, in readable units", () => {
    const chart = chartOf(plotFigure(bandwidth, { ...plain, series: ["op"] }));
    expect(chart.mark).toBe("line");
    expect(chart.series.map(({ label, x, y }) => [label, [...x], [...y]])).toEqual([
      ["read", [1, 4], [2, 4]],
      ["write", [1, 4], [1, Number.NaN]],
    ]);
    expect([chart.x.label, formatUnit(chart.x.unit), chart.y[0].label, formatUnit(chart.y[0].unit)]).toEqual([
      "size",
      "KiByte",
      "mean B",
      "MiByte/s",
    ]);
  });

  it.each([
    ["stddev", [1.75, 3.5], [2.25, 4.5]],
    ["minmax", [2000 / 1024, 3000 / 1024], [2100 / 1024, 5000 / 1024]],
    // t(0.975, 1) = 12.7062, t(0.975, 3) = 3.18245
    [
      "ci",
      [2 - (12.706204736 * 0.25) / Math.SQRT2, 4 - (3.18244630528 * 0.5) / 2],
      [2 + (12.706204736 * 0.25) / Math.SQRT2, 4 + (3.18244630528 * 0.5) / 2],
    ],
  ] as const)("ends error bars at %s", (errors, low, high) => {
    const [read, write] = chartOf(
      plotFigure(bandwidth, { ...plain, series: ["op"], results: [{ name: "B", statistic: "mean", errors }] }),
    ).series;
    [low, high].forEach((ends, side) => {
      const drawn = side === 0 ? read?.low : read?.high;
      ends.forEach((end, i) => expect(drawn?.[i]).toBeCloseTo(end, 8));
    });
    if (errors !== "minmax") expect(write?.low?.[0]).toBeNaN();
  });

  it("positions instants and days by time", () => {
    const days = [Date.UTC(2026, 0, 3), Date.UTC(2026, 0, 1)].map((time) => time / 86_400_000);
    const table = tableOf({
      day: { type: "date", cells: days },
      when: { type: "timestamp", cells: days.map((day) => day * 86_400e6 + 1500) },
      "B.mean": { type: "float", cells: [4, 2] },
    });
    const byDay = chartOf(plotFigure(table, { ...plain, x: { name: "day" } }));
    expect([byDay.mark, byDay.x, [...(byDay.series[0]?.x ?? [])]]).toEqual([
      "line",
      { label: "day", scale: "date" },
      [Date.UTC(2026, 0, 1) / 1000, Date.UTC(2026, 0, 3) / 1000],
    ]);
    const byTime = chartOf(plotFigure(table, { ...plain, x: { name: "when", from: "2026-01-02" } }));
    expect(byTime.x).toEqual({ label: "when", scale: "time", from: Date.UTC(2026, 0, 2) / 1000 });
    expect(byTime.series[0]?.x[0]).toBeCloseTo(Date.UTC(2026, 0, 1) / 1000 + 0.0015, 6);
    expect(() => plotFigure(table, { ...plain, x: { name: "when", scale: "log" } })).toThrow("instants");
  });

  it("plots bars for texts, and sorts versions", () => {
    const byText = chartOf(plotFigure(bandwidth, { ...plain, x: { name: "op" }, series: ["size"] }));
    expect([byText.mark, byText.x.categories, byText.series.map((one) => one.label)]).toEqual([
      "bars",
      ["read", "write"],
      ["size=4096 Byte", "size=1024 Byte"],
    ]);
    const versions = tableOf({
      v: { type: "version", cells: ["1.10", "1.9"] },
      "B.mean": { type: "float", cells: [1, 2] },
    });
    const byVersion = chartOf(plotFigure(versions, { ...plain, x: { name: "v" } }));
    expect([byVersion.mark, byVersion.x.categories, [...(byVersion.series[0]?.y ?? [])]]).toEqual([
      "line",
      ["1.9", "1.10"],
      [2, 1],
    ]);
  });

  it("keeps the given order of versions, abbreviated", () => {
    const ids = ["b".repeat(40), "a".repeat(40)];
    const commits = tableOf({
      commit: { type: "string", cells: [...ids].sort() },
      "B.mean": { type: "float", cells: [1, 2] },
    });
    const chart = chartOf(plotFigure(commits, { ...plain, x: { name: "commit" }, order: ids }));
    expect([chart.mark, chart.x.categories, [...(chart.series[0]?.x ?? [])]]).toEqual([
      "line",
      ["bbbbbbbb", "aaaaaaaa"],
      [0, 1],
    ]);
  });

  it("uses two axes for two dimensions, and shares one for equal units", () => {
    const table = tableOf({
      n: { type: "integer", cells: [1, 2] },
      "T.mean": { type: "float", unit: "ms", cells: [1500, 2500] },
      "U.mean": { type: "float", unit: "s", cells: [1, 2] },
      "B.mean": { type: "float", unit: "Byte", cells: [1, 2] },
      "N.mean": { type: "float", cells: [1, 2] },
    });
    const chart = chartOf(plotFigure(table, { ...plain, x: { name: "n" }, results: means("T", "U", "B") }));
    expect(chart.y.map((axis) => `${axis.label} ${formatUnit(axis.unit)}`)).toEqual([
      "mean T, mean U s",
      "mean B Byte",
    ]);
    expect(chart.series.map(({ label, axis, y }) => [label, axis, y[0]])).toEqual([
      ["T", 0, 1.5],
      ["U", 0, 1],
      ["B", 1, 1],
    ]);
    expect(() => plotFigure(table, { ...plain, x: { name: "n" }, results: means("T", "B", "N") })).toThrowError(
      expect.objectContaining({ code: "unusable-combination" }),
    );
  });

  it("plots every row as a point without a statistic", () => {
    const raw: Plot = { ...plain, results: [{ name: "B", errors: "none" }] };
    const chart = chartOf(
      plotFigure(tableOf({ size: { type: "float", cells: [3, 1, 2] }, B: { type: "float", cells: [1, 2, 3] } }), raw),
    );
    expect([chart.mark, [...(chart.series[0]?.x ?? [])], chart.y[0].label]).toEqual(["points", [3, 1, 2], "B"]);
  });

  it.each([
    [{ x: { name: "nothing" } }, "unknown-column"],
    [{ results: [{ name: "op", errors: "none" }] }, "unusable-combination"],
    [{ x: { name: "op", scale: "log" } }, "unusable-combination"],
    [{ x: { name: "op", from: "1" } }, "unusable-combination"],
    [{ x: { name: "size", from: "4KiByte", to: "1KiByte" } }, "unusable-combination"],
    [{ x: { name: "size", scale: "log2", from: "0" } }, "unusable-combination"],
    [{ results: [{ name: "B", statistic: "min", errors: "ci" }] }, "unusable-combination"],
    [{ results: [] }, "unusable-combination"],
    [{ right: { label: "r" } }, "unusable-combination"],
    [{ y: { name: "size" }, results: [{ name: "B", errors: "none" }] }, "unusable-combination"],
  ])("rejects %j with %s", (plot, code) => {
    expect(() => plotFigure(bandwidth, { ...plain, ...(plot as Partial<Plot>) })).toThrowError(
      expect.objectContaining({ code }),
    );
  });

  it("fails without any number", () => {
    const empty = tableOf({ size: { type: "integer", cells: [1] }, "B.mean": { type: "float", cells: [null] } });
    expect(() => plotFigure(empty, plain)).toThrowError(expect.objectContaining({ code: "nothing-to-draw" }));
  });
});

describe("axes", () => {
  const table = tableOf({
    n: { type: "integer", cells: [1, 2] },
    "T.mean": { type: "float", unit: "s", cells: [1, 2] },
    "T.max": { type: "float", unit: "s", cells: [3, 4] },
    "B.mean": { type: "float", unit: "Byte", cells: [1, 2] },
  });
  const drawn = (plot: Partial<Plot>): ChartBlock =>
    chartOf(plotFigure(table, { ...plain, x: { name: "n" }, ...plot }));

  it("have the requested ends, names and scales, in their unit", () => {
    const chart = chartOf(
      plotFigure(bandwidth, {
        ...plain,
        series: ["op"],
        x: { name: "size", scale: "log2", from: "1KiByte", label: "chunk" },
        left: { scale: "log", to: "8MiByte/s", label: "rate" },
      }),
    );
    expect(chart.x).toMatchObject({ label: "chunk", scale: "log2", from: 1024 });
    expect(chart.y[0]).toMatchObject({ label: "rate", scale: "log", to: 8 });
    expect(chart.series[0]?.x[0]).toBe(1024);
  });

  it("are left and right as requested, always so for two results of type 2D-multi", () => {
    const two = drawn({
      type: "2D-multi",
      results: [
        { name: "T", ...mean },
        { name: "T", statistic: "max", errors: "none", style: "steps" },
      ],
    });
    expect([two.y.length, two.mark, two.series.map(({ label, axis, mark }) => [label, axis, mark])]).toEqual([
      2,
      "steps",
      [
        ["mean T", 0, "line"],
        ["max T", 1, undefined],
      ],
    ]);
    const swapped = drawn({
      results: [
        { name: "T", ...mean, axis: "right" },
        { name: "B", ...mean },
      ],
    });
    expect(swapped.y.map(({ label }) => label)).toEqual(["mean B", "mean T"]);
    expect(swapped.series.map(({ axis }) => axis)).toEqual([1, 0]);
    expect(() =>
      drawn({
        results: [
          { name: "T", ...mean, axis: "left" },
          { name: "B", ...mean, axis: "left" },
        ],
      }),
    ).toThrowError(expect.objectContaining({ code: "unusable-combination" }));
  });
});

describe("a series of plots", () => {
  const table = tableOf({
    op: { type: "string", cells: ["write", "read", "read", "write"] },
    n: { type: "integer", cells: [10, 2, 10, 2] },
    size: { type: "integer", cells: [1, 1, 2, 2] },
    "B.mean": { type: "float", cells: [1, 2, 30, null] },
  });

  it("has a plot for each value, in order, with the same axes", () => {
    const { figure, values } = drawPlot(table, { ...plain, plots: ["op"] });
    const blocks = figure.blocks as ChartBlock[];
    expect([values, figure.columns, blocks.map(({ caption }) => caption)]).toEqual([
      [["read"], ["write"]],
      2,
      ["read", "write"],
    ]);
    expect(blocks.map(({ x, y }) => [x.holds, y[0].holds])).toEqual([
      [
        [1, 2],
        [1, 30],
      ],
      [
        [1, 2],
        [1, 30],
      ],
    ]);
  });

  it("omits plots without numbers, and fills rows by the second parameter", () => {
    const { values, figure } = drawPlot(table, { ...plain, plots: ["n", "op"] });
    expect(values).toEqual([
      ["2", "read"],
      ["10", "read"],
      ["10", "write"],
    ]);
    expect(figure.columns).toBeUndefined();
  });
});

describe("surfaces", () => {
  it.each([
    ["surface", {}],
    ["heatmap", { flat: true }],
    ["contours", { flat: true, contours: "filled" }],
    ["contour-lines", { flat: true, contours: "lines" }],
  ] as const)("with the style %s have their look", (style, look) => {
    const results = plain.results.map((result) => ({ ...result, style }));
    const [block] = plotFigure(table, { ...plain, results, y: { name: "n" }, series: [] }).blocks as SurfaceBlock[];
    const { flat, contours } = block!;
    expect({ flat, contours }).toEqual({ flat: undefined, contours: undefined, ...look });
  });

  const table = tableOf({
    size: { type: "integer", unit: "Byte", cells: [2048, 1024, 1024, 2048] },
    n: { type: "integer", cells: [4, 1, 4, 1] },
    op: { type: "string", cells: ["r", "r", "r", "w"] },
    "B.mean": { type: "float", unit: "KiByte/s", cells: [2048, 1024, 3072, 1024] },
  });
  const surface: Plot = { ...plain, y: { name: "n" } };

  it("have a height for each point, holes where missing, and readable units", () => {
    const block = plotFigure(table, { ...surface, series: [] }).blocks[0] as SurfaceBlock;
    expect([block.kind, [...block.xs], [...block.ys], [...block.zs], formatUnit(block.z.unit)]).toEqual([
      "surface",
      [1, 2],
      [1, 4],
      [1, 1, 3, 2],
      "MiByte/s",
    ]);
    const each = plotFigure(table, { ...surface, series: ["op"] }).blocks as SurfaceBlock[];
    expect(each.map(({ caption, zs, z }) => [caption, [...zs], z.holds])).toEqual([
      ["r", [1, Number.NaN, 3, 2], [1, 3]],
      ["w", [1], [1, 3]],
    ]);
  });
});

it("requests the statistics of its error bars", () => {
  expect(statisticsOf([{ statistic: "mean", errors: "ci" }])).toEqual(["mean", "stddev", "count"]);
  expect(
    statisticsOf([
      { statistic: "min", errors: "minmax" },
      { statistic: "max", errors: "none" },
    ]),
  ).toEqual(["min", "max"]);
  expect(statisticsOf([{ errors: "none" }])).toEqual([]);
});
