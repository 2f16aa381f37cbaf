import {
  type Axis,
  type ChartBlock,
  type ChartPoint,
  drawablePoints,
  stackedChart,
  isStacked,
} from "../../../core/figures/index.ts";
import { cutToWidth, displayWidth, padToWidth } from "../../../core/text/index.ts";
import { type Scale, shortNumber } from "../../../math/plotting/index.ts";
import { drawnAxisTitle, scalesOf, tickLabel } from "../drawing/chart-scales.ts";
import { legendLines, symbolOf } from "./legend.ts";
import type { Style } from "./style.ts";

/** Minimum columns of the bars; shorter value labels are used first. */
const minColumns = 10;

/**
 * The lines of a horizontal bar chart: one per bar (or stack), grouped by category, each followed by its value.
 */
export function barLines(chart: ChartBlock, style: Style): string[] {
  const drawn = stackedChart(chart);
  const bars = drawn.series.map((series) => new Map(drawablePoints(drawn, series).map((point) => [point.x, point])));
  const categories = (chart.x.categories ?? []).map((name) =>
    cutToWidth(style.sanitize(name), Math.floor(style.width / 3), style.glyphs.ellipsis),
  );
  const labelWidth = widest(categories);
  const points = bars.flatMap((series) => [...series.values()]);
  const hasBothEnds = chart.stacked === true && points.some(({ y }) => y < 0);
  const room = style.width - labelWidth - 3 - (hasBothEnds ? widest(points.map(withoutErrors)) + 3 : 0);
  const valueText =
    [withErrors, withoutErrors].find((text) => room - widest(points.map(text)) >= minColumns) ?? withoutErrors;
  const columns = Math.max(minColumns, room - widest(points.map(valueText)));
  const scales = scalesOf(drawn, 1, Math.max(2, Math.floor(columns / 12))).y;
  const stacks = chart.stacked === true ? stackedBars(chart, scales[0] as Scale, columns, style) : undefined;
  const lines = categories.flatMap((name, category) => {
    const own = stacks === undefined ? groupedBars(bars, category) : stackOf(stacks.get(category));
    return own.map(({ bar, value }, row) => {
      const label = padToWidth(row === 0 ? name : "", labelWidth);
      return `${label} ${style.glyphs.axis.vertical}${bar} ${value}`;
    });
  });
  const footing = chart.y.flatMap((axis, i) => valueAxis(axis, scales[i] as Scale, labelWidth + 1, columns, style));
  return [style.sanitize(drawnAxisTitle(chart.x)), ...lines, ...footing, ...legendLines(chart, style)];

  function groupedBars(all: typeof bars, category: number): { bar: string; value: string }[] {
    return all.flatMap((series, i) => {
      const point = series.get(category);
      if (point === undefined) return [];
      const scale = scales[chart.series[i]?.axis ?? 0] as Scale;
      return [
        {
          bar: style.paint(barOf(point, scale, columns, symbolOf(chart, i, style), style), i),
          value: valueText(point),
        },
      ];
    });
  }
}

function stackOf(stack: StackedBar | undefined): { bar: string; value: string }[] {
  return stack === undefined ? [] : [{ bar: stack.bar, value: stack.ends.map((end) => shortNumber(end)).join(" / ") }];
}

function widest(texts: readonly string[]): number {
  return texts.reduce((maximum, text) => Math.max(maximum, displayWidth(text)), 0);
}

function withErrors(point: ChartPoint): string {
  const [low, high] = point.interval;
  const errors = low === high ? "" : ` (${shortNumber(low)} to ${shortNumber(high)})`;
  return shortNumber(point.y) + errors;
}

function withoutErrors(point: ChartPoint): string {
  return shortNumber(point.y);
}

/** A bar from zero (or the nearest end of the axis) to its value, overlaid with the error bar. */
function barOf(point: ChartPoint, scale: Scale, columns: number, fill: string, style: Style): string {
  const cell = (value: number): number => Math.min(columns, Math.max(0, Math.round(scale.at(value) * columns)));
  const zero = cell(Math.min(Math.max(0, scale.low), scale.high));
  const [from, to] = [Math.min(zero, cell(point.y)), Math.max(zero, cell(point.y))];
  const cells = Array.from({ length: columns }, (_, i) => (i >= from && i < to ? fill : " "));
  const [low, high] = [cell(point.low), Math.max(cell(point.high) - 1, cell(point.low))];
  if (point.low !== point.high && low < columns && high > low) {
    const { left, line, right } = style.glyphs.whisker;
    cells.fill(line, low, high);
    cells[low] = left;
    cells[high] = right;
  }
  return cells.join("");
}

function valueAxis(axis: Axis, scale: Scale, indent: number, columns: number, style: Style): string[] {
  const ticks = scale.ticks.map((tick) => ({
    column: Math.round(scale.at(tick) * columns),
    text: tickLabel(axis, tick),
  }));
  const shown = cutToWidth(style.sanitize(drawnAxisTitle(axis)), columns, style.glyphs.ellipsis);
  return [...horizontalAxis(ticks, columns, style), ` ${shown}`].map((line) => " ".repeat(indent) + line);
}

/** A stacked bar of one category. */
interface StackedBar {
  readonly bar: string;
  /** The positive and the negative end of the stack. */
  readonly ends: readonly number[];
}

/**
 * The stacked bar of each category in `columns` cells.
 */
function stackedBars(chart: ChartBlock, scale: Scale, columns: number, style: Style): ReadonlyMap<number, StackedBar> {
  const stackedSeries = stackedChart(chart).series;
  const cell = (value: number): number => Math.min(columns, Math.max(0, Math.round(scale.at(value) * columns)));
  const stacks = new Map<number, { owners: number[]; up: number; down: number }>();
  for (const [i, series] of [...stackedSeries.entries()].toReversed()) {
    if (!isStacked(chart, series)) continue;
    for (const { x, y } of drawablePoints(chart, series)) {
      const stack = stacks.get(x) ?? { owners: Array.from<number>({ length: columns }).fill(-1), up: 0, down: 0 };
      stacks.set(x, stack);
      stack.owners.fill(i, Math.min(cell(0), cell(y)), Math.max(cell(0), cell(y)));
      [stack.up, stack.down] = [Math.max(stack.up, y), Math.min(stack.down, y)];
    }
  }
  return new Map(
    [...stacks].map(([x, { owners, up, down }]) => {
      const ends = [...(up > 0 || down === 0 ? [up] : []), ...(down < 0 ? [down] : [])];
      return [x, { bar: paintedCells(owners, chart, style), ends }];
    }),
  );
}

/** Paints adjacent cells of one series together. */
function paintedCells(owners: readonly number[], chart: ChartBlock, style: Style): string {
  let bar = "";
  for (let start = 0; start < owners.length;) {
    let end = start + 1;
    while (end < owners.length && owners[end] === owners[start]) end += 1;
    const owner = owners[start] ?? -1;
    bar += owner < 0 ? " ".repeat(end - start) : style.paint(symbolOf(chart, owner, style).repeat(end - start), owner);
    start = end;
  }
  return bar;
}

/** A tick of a horizontal axis: its column in the drawing and its escaped label. */
interface AxisTick {
  readonly column: number;
  readonly text: string;
}

/**
 * The rule and the label line of a horizontal axis below a drawing of `columns` columns. Omits labels that would
 * overlap. The first column is that of the vertical axis.
 */
export function horizontalAxis(ticks: readonly AxisTick[], columns: number, style: Style): [string, string] {
  const { corner, axis } = style.glyphs;
  const rule = Array.from({ length: columns }, () => axis.horizontal);
  let labels = "";
  for (const tick of ticks) {
    const column = Math.min(columns - 1, Math.max(0, tick.column));
    const text = cutToWidth(tick.text, Math.floor(columns / 3), style.glyphs.ellipsis);
    const width = displayWidth(text);
    const start = Math.max(0, Math.min(column + 1 - Math.floor(width / 2), columns + 1 - width));
    const used = displayWidth(labels);
    if (used > 0 && start < used + 2) continue;
    labels += " ".repeat(start - used) + text;
    rule[column] = corner.tick;
  }
  return [corner.left + rule.join(""), labels];
}
