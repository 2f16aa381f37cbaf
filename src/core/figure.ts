import type { Unit } from "./unit.ts";

/** What a view draws and a renderer prints: a list of blocks, free of any output medium. Texts are untrusted; renderers escape. */
export interface Figure {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block = TextBlock | TableBlock | ChartBlock;

export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
}

export interface TableBlock {
  readonly kind: "table";
  readonly caption?: string;
  readonly head: readonly { readonly label: string; readonly align: "left" | "right" }[];
  /** Cells are already formatted for people; raw values go through `query --format json|csv`. */
  readonly rows: readonly (readonly string[])[];
}

/** A 2D chart. Points of a series are in drawing order. */
export interface ChartBlock {
  readonly kind: "chart";
  readonly mark: "line" | "points" | "bars" | "steps";
  readonly x: Axis;
  /** One axis, or two for results of different units (series name theirs). */
  readonly y: readonly Axis[];
  readonly series: readonly ChartSeries[];
}

export interface Axis {
  readonly label: string;
  readonly unit?: Unit;
  readonly scale: "linear" | "log" | "category";
  /** The names of the categories, in order, when scale is category: x values are then indexes into it. */
  readonly categories?: readonly string[];
}

export interface ChartSeries {
  readonly label: string;
  /** Index into `y` of the chart. */
  readonly axis: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Ends of the error bars, parallel to y; NaN where a point has none. */
  readonly low?: Float64Array;
  readonly high?: Float64Array;
}
