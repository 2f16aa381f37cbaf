import type { ChartBlock, ChartSeries } from "../../../core/figures/index.ts";
import type { Unit } from "../../../core/values/index.ts";

/** Default number of charts in pictures and pages. */
const defaultCharts = 6;

export interface SteppedSeries {
  readonly name: string;
  readonly unit?: Unit;
  readonly values: readonly number[];
  /** Labels of the values, and the name of the axis. */
  readonly labels: readonly string[];
  readonly along: string;
  /** Index of the first value of each new level, ascending, and its label. */
  readonly changes: readonly { readonly at: number; readonly word: string }[];
}

/** A chart of values, levels between changes, and marked changes. */
export function steppedChart({ name, unit, values, labels, along, changes }: SteppedSeries): ChartBlock {
  const valueAt = (at: number): number => values[at] ?? Number.NaN;
  const words = [...new Set(changes.map(({ word }) => word))].sort((a, b) => (a > b ? -1 : 1));
  const marked = words.map((word) => {
    const own = changes.filter((change) => change.word === word).map(({ at }) => at);
    return seriesOf(word, "points", own, valueAt);
  });
  const isMarked = new Set(changes.map(({ at }) => at));
  const others = [...values.keys()].filter((at) => !isMarked.has(at));
  // With levels, a line through all points would hide the steps.
  const line = seriesOf(name, changes.length > 0 ? "points" : "line", others, valueAt);
  return {
    kind: "chart",
    mark: "line",
    x: { label: along, scale: "category", categories: labels },
    y: [{ label: name, scale: "linear", ...(unit === undefined ? {} : { unit }) }],
    series: [line, ...levels(values, changes), ...marked],
  };
}

function seriesOf(
  label: string,
  mark: ChartSeries["mark"] & string,
  at: readonly number[],
  valueAt: (index: number) => number,
): ChartSeries {
  return { label, axis: 0, mark, x: Float64Array.from(at), y: Float64Array.from(at, valueAt) };
}

/** The medians between changes as one line; none without changes. */
function levels(values: readonly number[], changes: SteppedSeries["changes"]): ChartSeries[] {
  const cuts = [0, ...changes.map(({ at }) => at).filter((at) => at > 0), values.length];
  if (cuts.length < 3) return [];
  const segments = cuts.slice(1).map((to, i) => [cuts[i] as number, to] as const);
  const flat = segments.flatMap(([from, to]) => {
    const level = middle(values.slice(from, to));
    return [
      [from, level],
      [to - 1, level],
    ] as const;
  });
  return [
    {
      label: "level",
      axis: 0,
      mark: "curve",
      x: Float64Array.from(flat, ([x]) => x),
      y: Float64Array.from(flat, ([, y]) => y),
    },
  ];
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

/** The number of charts: as requested, else up to six in pictures and one for a single series in text. */
export function chartCount(format: string, series: number, wanted: number | undefined): number {
  if (format === "csv" || format === "markdown") return 0;
  const isPicture = format === "svg" || format === "png" || format === "html";
  return wanted ?? (isPicture ? Math.min(series, defaultCharts) : series === 1 ? 1 : 0);
}
