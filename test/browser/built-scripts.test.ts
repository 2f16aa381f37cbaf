import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Failure, isFailure } from "../../src/core/failures/failure.ts";
import type { Axis, ChartBlock, Mark } from "../../src/core/figures/figure.ts";
import { svgChart } from "../../src/plugins/renderers/drawing/svg/svg-figure.ts";
import type { ChartDrawing } from "../../web/context/chart-drawing.ts";

const builtScript = (name: string): string => readFileSync(join(import.meta.dirname, "../../dist/web", name), "utf8");

/** The chart script without a page. */
function builtCharts(): ChartDrawing {
  const shared = { Float64Array, Int32Array, Uint8Array, TextEncoder, performance, setTimeout, clearTimeout };
  const context: Record<string, unknown> = { ...shared, perfkeepFailures: { Failure, isFailure } };
  context["globalThis"] = context;
  runInNewContext(builtScript("charts.js"), context);
  return context["perfkeepCharts"] as ChartDrawing;
}

function chartOf(mark: Mark, scale: Axis["scale"], points: number): ChartBlock {
  const x = Float64Array.from({ length: points }, (_, at) => at + 1);
  const y = x.map((at) => 100 * at + 7 * (at % 5));
  return {
    kind: "chart",
    mark,
    x: { label: "size", scale },
    y: [{ label: "time [ms]", scale: "linear" }],
    series: ["a", "b"].map((label, factor) => ({
      label,
      axis: 0,
      x,
      y: y.map((each) => each * (factor + 1)),
      low: y.map((each) => each * (factor + 0.9)),
      high: y.map((each) => each * (factor + 1.1)),
    })),
  };
}

describe("the built scripts", () => {
  test.each<[Mark, Axis["scale"], number]>([
    ["line", "linear", 12],
    ["line", "log2", 12],
    ["points", "linear", 5000],
    ["bars", "linear", 6],
    ["curve", "log", 30],
  ])("draw %s on a %s axis like the program", async (mark, scale, points) => {
    const [block, paper] = [chartOf(mark, scale, points), { width: 700, height: 400, dark: false }];
    expect((await builtCharts().draw(block, 700, 400, false)).svg).toBe(await svgChart(block, paper, "c"));
  });

  test("have at most 250 kB compressed", () => {
    const sizes = ["app.js", "charts.js"].map((name) => gzipSync(builtScript(name), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(250_000);
  });
});
