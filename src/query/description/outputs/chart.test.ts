import { describe, expect, test } from "vitest";
import {
  latencies,
  shownColumn,
  shownOf,
  vectorOf,
  type ShownOptions,
} from "../../../../test/contracts/output-target.ts";
import type { Figure } from "../../../core/figures/figure.ts";
import { crowd } from "../../chart/build-chart.ts";
import type { Vector } from "../vector.ts";
import { svg, text } from "./chart.ts";

function figureOf(vectors: readonly Vector[], options?: ShownOptions): Figure {
  const product = svg.show(shownOf(vectors, options));
  if (product.kind !== "figure") throw new Error("no figure");
  expect(product.renderer).toBe("svg");
  return product.figure;
}

const chartOf = (vectors: readonly Vector[], options?: ShownOptions) =>
  figureOf(vectors, options).blocks[0] as unknown as Record<string, unknown>;
const net = shownColumn("net", "parameter", "string");
const size = shownColumn("size", "parameter", "integer", { unitText: "Byte" });
const time = shownColumn("t", "result", "float", { unitText: "us" });
const rate = shownColumn("rate", "result", "float", { unitText: "MByte/s" });

describe("a chart of an output", () => {
  test("has a labelled series for each input", () => {
    const figure = figureOf(latencies, {
      attributes: { title: "Ping" },
      inputs: [{ label: "title" }, { label: "title" }],
    });
    expect(figure.title).toBe("Ping (np = 2)");
    expect(figure.blocks[0]).toMatchObject({
      mark: "line",
      x: { label: "message size", scale: "linear", unit: { factors: [{ base: "Byte" }] } },
      y: [{ label: "T_pp", scale: "linear" }],
      series: [
        { label: "net = sci", x: Float64Array.of(1, 2, 4), y: Float64Array.of(4.5, Number.NaN, 5.25) },
        { label: "net = myri", x: Float64Array.of(1, 4), y: Float64Array.of(8, 9.5) },
      ],
    });
  });

  test.each([
    [{ type: "graphs", style: "points" }, "points"],
    [{ type: "points" }, "points"],
    [{ type: "steps" }, "steps"],
    [{ type: "graphs", style: "lines" }, "line"],
    [{ type: "bars" }, "bars"],
    [{ type: "boxes" }, "bars"],
  ])("plots %j as %s", (attributes, mark) => {
    expect(chartOf(latencies, { attributes })["mark"]).toBe(mark);
  });

  test("has a series for each combination of the other parameters", () => {
    const rows = [
      ["sci", 10, 1],
      ["sci", 2, 2],
      ["myri", 10, 3],
      ["myri", 2, 4],
    ] as const;
    const chart = chartOf([vectorOf([net, size, time], rows)], { attributes: { type: "bars" } });
    expect(chart).toMatchObject({
      x: { categories: ["sci", "myri"] },
      series: [
        { label: "t for size = 2", x: Float64Array.of(0, 1), y: Float64Array.of(2, 4) },
        { label: "t for size = 10", x: Float64Array.of(0, 1), y: Float64Array.of(1, 3) },
      ],
    });
    const named = chartOf([vectorOf([net, size, time], rows)], { inputs: [{ label: "value" }] });
    expect(named["series"]).toMatchObject([{ label: "size = 2 t" }, { label: "size = 10 t" }]);
  });

  test("has names along the axis for texts and bars", () => {
    expect(
      chartOf([
        vectorOf(
          [net, time],
          [
            ["sci", 1],
            ["myri", 2],
          ],
        ),
      ])["x"],
    ).toMatchObject({ scale: "category", categories: ["sci", "myri"] });
    expect(
      chartOf(
        [
          vectorOf(
            [size, time],
            [
              [64, 1],
              [8, 2],
            ],
          ),
        ],
        { attributes: { type: "bars" } },
      ),
    ).toMatchObject({
      x: { categories: ["8", "64"] },
      series: [{ x: Float64Array.of(1, 0) }],
    });
  });

  test("positions days and instants by time, of all inputs on one axis", () => {
    const [day, when] = [shownColumn("day", "parameter", "date"), shownColumn("at", "parameter", "timestamp")];
    const [first, third] = [Date.UTC(2026, 0, 1) / 86_400_000, Date.UTC(2026, 0, 3) / 86_400_000];
    const rows = [
      [third, 2],
      [first, 1],
      [null, 3],
    ];
    const days = vectorOf([day, time], rows);
    expect(chartOf([days], { options: ["logscale"] })).toMatchObject({
      x: { label: "day", scale: "date" },
      y: [{ scale: "log" }],
      series: [{ x: Float64Array.of(third * 86_400, first * 86_400, Number.NaN), y: Float64Array.of(2, 1, 3) }],
    });
    const instants = vectorOf([when, time], [[first * 86_400e6 + 1.5e6, 4]]);
    expect(chartOf([days, instants])).toMatchObject({
      x: { scale: "time" },
      series: [{}, { x: Float64Array.of(first * 86_400 + 1.5) }],
    });
    expect(chartOf([days], { attributes: { type: "bars" } })["x"]).toMatchObject({
      scale: "category",
      categories: ["2026-01-03", "2026-01-01", "None"],
    });
    const mixed = chartOf([days, vectorOf([size, time], [[8, 1]])]);
    expect(mixed["x"]).toMatchObject({ scale: "category" });
  });

  test("keeps the units of the query, and converts positions of inputs to the unit of the first", () => {
    const kib = shownColumn("size", "parameter", "integer", { unitText: "KiByte" });
    const chart = chartOf([vectorOf([size, time], [[4096, 5000]]), vectorOf([kib, time], [[4, 1]])]);
    expect(chart).toMatchObject({
      y: [{ unit: { factors: [{ base: "s" }] } }],
      series: [
        { x: Float64Array.of(4096), y: Float64Array.of(5000) },
        { x: Float64Array.of(4096), y: Float64Array.of(1) },
      ],
    });
  });

  test("reports charts with too many curves to distinguish", () => {
    const vectors = Array.from({ length: 13 }, () => vectorOf([size, time], [[8, 1]]));
    expect([crowd(figureOf(vectors)), crowd(figureOf(vectors.slice(1)))]).toEqual([13, undefined]);
  });

  test("has error bars, two axes, and separate titles for results of one input", () => {
    const deviation = shownColumn("d", "result", "float", { unitText: "us" });
    expect(
      chartOf([vectorOf([size, time, deviation], [[8, 5, 1]])], { inputs: [{ errors: "ydelta" }] })["series"],
    ).toMatchObject([{ low: Float64Array.of(4), high: Float64Array.of(6) }]);
    expect(
      chartOf([vectorOf([size, time, deviation, deviation], [[8, 5, 1, 9]])], { attributes: { errors: "ylowhigh" } })[
        "series"
      ],
    ).toMatchObject([{ low: Float64Array.of(1), high: Float64Array.of(9) }]);
    const both = chartOf([vectorOf([size, time, rate], [[8, 5, 1]], ["n = 1"])], { inputs: [{ label: "parameter" }] });
    expect(both).toMatchObject({
      y: [{ label: "t" }, { label: "rate" }],
      series: [
        { label: "t n = 1", axis: 0 },
        { label: "rate n = 1", axis: 1 },
      ],
    });
  });

  test.each([
    [["logscale x 2"], "log", "linear"],
    [["logscale y"], "linear", "log"],
    [["logscale xy 10"], "log", "log"],
    [["logscale"], "log", "log"],
    [["logscale 2"], "log", "log"],
    [["grid x", "logscale y2"], "linear", "linear"],
  ])("supports %j of the options", (options, x, y) => {
    expect(chartOf(latencies, { options })).toMatchObject({ x: { scale: x }, y: [{ scale: y }] });
  });

  test("is one of several blocks for an external sweep", () => {
    const shown = shownOf(latencies);
    const product = text.show({ ...shown, pages: [...shown.pages, ...shown.pages] });
    expect(product.kind === "figure" ? product.figure.blocks.length : 0).toBe(2);
  });

  test("supports two and three dimensions only", () => {
    expect(() => figureOf(latencies, { attributes: { target: "svg", dimensions: "4" } })).toThrow(
      "dimensions '4' are neither 2 nor 3",
    );
  });

  test("requires a result", () => {
    expect(() => figureOf([vectorOf([size], [[1]])])).toThrow("output 'out' has no result");
  });
});

describe("a surface of an output", () => {
  const attributes = { dimensions: "3", title: "over two" };

  test("is drawn from above if its type says so", () => {
    const contours = { attributes: { ...attributes, type: "contours" } };
    const [block] = figureOf([vectorOf([net, size, time], [["a", 1, 1]])], contours).blocks;
    expect(block).toMatchObject({ kind: "surface", flat: true, contours: "filled" });
  });

  test("has two parameters, whatever the order of the rows", () => {
    const rows = [
      ["b", 4, 4],
      ["a", 1, 1],
      ["b", 1, 2],
    ];
    const [block] = figureOf([vectorOf([net, size, time], rows)], { attributes, options: ["logscale y"] }).blocks;
    expect(block).toMatchObject({
      kind: "surface",
      x: { label: "net", scale: "category", categories: ["b", "a"] },
      y: { label: "size", scale: "log" },
      z: { label: "t", scale: "linear" },
      xs: Float64Array.of(0, 1),
      ys: Float64Array.of(1, 4),
      zs: Float64Array.of(2, 1, 4, Number.NaN),
    });
  });

  test.each([
    [[net, time], [["a", 1]], "a surface needs two parameters"],
    [[net, size, shownColumn("s", "result", "string")], [["a", 1, "x"]], "cannot be plotted"],
    [
      [net, size, time],
      [
        ["a", 1, 1],
        ["a", 1, 2],
      ],
      "has two heights at one point",
    ],
  ] as const)("fails if impossible", (columns, rows, problem) => {
    expect(() => figureOf([vectorOf([...columns], rows)], { attributes })).toThrow(problem);
  });
});
