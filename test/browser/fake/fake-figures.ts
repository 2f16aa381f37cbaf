import type {
  Block,
  ChartBlock,
  Figure,
  FlameBlock,
  SurfaceBlock,
  TableBlock,
} from "../../../src/core/figures/figure.ts";
import { buildFlame } from "./fake-flame.ts";

/* Blocks of every kind with configurable texts. */

export type TextOf = (plain: string, index: number) => string;

export function fakeTable(text: TextOf, rows: number): TableBlock {
  return {
    kind: "table",
    caption: text("Functions by time", 1),
    head: [
      { label: text("function", 2), align: "left" },
      { label: "calls", align: "right" },
      { label: "time", align: "right" },
    ],
    rows: Array.from({ length: rows }, (_, i) => [
      text(`function_${i}`, i),
      String((i * 7919) % 1000),
      `${((i * 31) % 97) / 10} ms`,
    ]),
  };
}

export function fakeChart(text: TextOf): ChartBlock {
  const sizes = [1, 2, 4, 8, 16, 32, 64];
  const line = (label: string, factor: number) => ({
    label,
    axis: 0 as const,
    x: Float64Array.from(sizes),
    y: Float64Array.from(sizes, (size) => factor * size * Math.log2(size + 1)),
    low: Float64Array.from(sizes, (size) => factor * size * Math.log2(size + 1) * 0.9),
    high: Float64Array.from(sizes, (size) => factor * size * Math.log2(size + 1) * 1.1),
  });
  return {
    kind: "chart",
    caption: text("Bandwidth over message size", 3),
    mark: "line",
    x: { label: text("message size", 4), scale: "log2" },
    y: [{ label: text("bandwidth", 5), scale: "linear" }],
    series: [line(text("read", 6), 1.5), line(text("write", 7), 1)],
  };
}

function fakeSurface(text: TextOf): SurfaceBlock {
  const [xs, ys] = [Float64Array.of(1, 2, 3, 4), Float64Array.of(10, 20, 30)];
  return {
    kind: "surface",
    caption: text("Time over threads and size", 8),
    x: { label: text("threads", 9), scale: "linear" },
    y: { label: "size", scale: "linear" },
    z: { label: "time", scale: "linear" },
    xs,
    ys,
    zs: Float64Array.from({ length: 12 }, (_, i) => (ys[Math.floor(i / 4)] ?? 0) / (xs[i % 4] ?? 1)),
  };
}

export function fakeFlame(text: TextOf, isComparison: boolean): FlameBlock {
  return { kind: "flame", caption: text("Where the time goes", 10), graph: buildFlame(text, isComparison) };
}

const blocks: Readonly<Record<string, (text: TextOf) => Block[]>> = {
  flamegraph: (text) => [fakeFlame(text, false)],
  flamechart: (text) => [{ kind: "flame", graph: { ...buildFlame(text, false), byTime: true, estimated: true } }],
  tableof: (text) => [fakeTable(text, 20), { ...fakeTable(text, 2000), caption: "A long table" }],
  bars: (text) => [fakeChart(text), { ...fakeChart(text), caption: "" }],
  surface: (text) => [fakeSurface(text)],
  raw: (text) => [{ kind: "text", text: `${text("raw output", 11)}\n  second line\tand a tab` }],
};

export const fakeViews = Object.keys(blocks);

export function fakeFigure(view: string, text: TextOf): Figure {
  return { title: text(`View ${view}`, 0), blocks: blocks[view]?.(text) ?? [] };
}
