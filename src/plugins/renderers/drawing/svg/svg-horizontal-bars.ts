import { type ChartBlock, drawablePoints, stackedChart } from "../../../../core/figures/index.ts";
import { terminalText } from "../../../../core/text/index.ts";
import { type Scale, shortNumber } from "../../../../math/plotting/index.ts";
import { drawnAxisTitle, scalesOf, tickLabel } from "../chart-scales.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import type { Piece } from "./svg-pieces.ts";
import { round, svgText } from "./svg-text.ts";
import { lookOf, type Theme } from "../theme.ts";

const size = 12;
const titleSize = 13;
const margin = 16;
const barHeight = 16;
const gap = 8;
const below = 50;

/** Geometry of the chart in pixels. */
interface Frame {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** Height of a category. */
  readonly slot: number;
  readonly scale: Scale;
}

/**
 * A horizontal bar chart with one value axis; its height depends on the number of categories. Each bar or stack is
 * labelled with its value.
 */
export function svgHorizontalBars(block: ChartBlock, theme: Theme, width: number): Piece {
  const chart = stackedChart(block);
  const { names, frame } = frameOf(chart, width);
  const { left, slot } = frame;
  const labels = names.map((name, i) => {
    const look = { size, color: theme.text, align: "right" } as const;
    return svgText(left - 8, slot * (i + 0.5) + 4, name, look);
  });
  const svg = axisOf(chart, frame, theme) + labels.join("") + bars(chart, frame, theme);
  return { svg, height: frame.height + below };
}

/** A bar of a series: its category, its end value, and its geometry in pixels. */
export interface HorizontalBar {
  readonly series: number;
  readonly category: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly height: number;
}

/** The bars that `svgHorizontalBars` draws; stacked bars start at zero and include those below. */
export function horizontalBars(block: ChartBlock, width: number): HorizontalBar[] {
  const chart = stackedChart(block);
  const { frame } = frameOf(chart, width);
  return chart.series.flatMap((each, series) =>
    drawablePoints(chart, each).map(({ x, y }) => ({
      series,
      category: x,
      end: y,
      ...geometryOf(chart, frame, x, series, y),
      height: barHeight,
    })),
  );
}

function frameOf(chart: ChartBlock, width: number): { names: string[]; frame: Frame } {
  const names = (chart.x.categories ?? []).map((name) => cutToPixels(terminalText(name), width * 0.4, size));
  const left = margin + Math.max(0, ...names.map((name) => textWidth(name, size))) + 8;
  const room = Math.max(60, width - left - margin - widestValue(chart));
  const [scale] = scalesOf(chart, 1, Math.max(2, Math.floor(room / 90))).y as [Scale];
  const barsPerSlot = chart.stacked === true ? 1 : chart.series.length;
  const slot = barsPerSlot * barHeight + gap;
  return { names, frame: { left, width: room, height: slot * names.length, slot, scale } };
}

function widestValue(chart: ChartBlock): number {
  const values = chart.series.flatMap((series) =>
    drawablePoints(chart, series).map(({ y }) => textWidth(shortNumber(y), size)),
  );
  return values.reduce((maximum, each) => Math.max(maximum, each), 0) + 8;
}

function axisOf(chart: ChartBlock, { left, width, height, scale }: Frame, theme: Theme): string {
  const [axis] = chart.y;
  const ticks = scale.ticks.map((tick) => {
    const x = left + scale.at(tick) * width;
    const label = tickLabel(axis, tick);
    const text = svgText(x - textWidth(label, size) / 2, height + 20, label, { size, color: theme.text });
    return `<path d="M${round(x)} 0V${round(height + 5)}" stroke="${theme.grid}"/>${text}`;
  });
  const title = cutToPixels(terminalText(drawnAxisTitle(axis)), width, titleSize);
  const heading = svgText(left + (width - textWidth(title, titleSize)) / 2, height + 40, title, {
    size: titleSize,
    color: theme.text,
  });
  const line = `<path d="M${round(left)} ${round(height)}h${round(width)}" stroke="${theme.axis}"/>`;
  return ticks.join("") + line + heading;
}

/** Draws the bars; lower stacked bars cover the upper ones. */
function bars(chart: ChartBlock, frame: Frame, theme: Theme): string {
  const all = chart.series.map((series, i) => ({ i, points: drawablePoints(chart, series) }));
  const shapes = (chart.stacked === true ? all.toReversed() : all).flatMap(({ i, points }) => {
    const { color, opacity } = lookOf(theme, i, chart.stacked);
    const pale = opacity === 1 ? "" : ` opacity="${opacity}"`;
    return points.map(({ x, y }) => {
      const { top, from, to } = geometryOf(chart, frame, x, i, y);
      const size = `width="${round(to - from)}" height="${barHeight}"`;
      return `<rect x="${round(from)}" y="${round(top)}" ${size} fill="${color}"${pale}/>`;
    });
  });
  return shapes.join("") + (chart.stacked === true ? stackValues(chart, frame, theme) : ownValues(chart, frame, theme));
}

function geometryOf(
  chart: ChartBlock,
  { left, width, slot, scale }: Frame,
  category: number,
  series: number,
  value: number,
) {
  const at = (each: number): number => left + scale.at(Math.min(Math.max(each, scale.low), scale.high)) * width;
  const top = slot * category + gap / 2 + (chart.stacked === true ? 0 : series * barHeight);
  return { top, from: Math.min(at(0), at(value)), to: Math.max(at(0), at(value)) };
}

function ownValues(chart: ChartBlock, frame: Frame, theme: Theme): string {
  return chart.series
    .flatMap((series, i) =>
      drawablePoints(chart, series).map(({ x, y }) => {
        const { top, to } = geometryOf(chart, frame, x, i, y);
        return svgText(to + 4, top + 12, shortNumber(y), { size, color: theme.text });
      }),
    )
    .join("");
}

/** The total of each stack. */
function stackValues(chart: ChartBlock, frame: Frame, theme: Theme): string {
  const ends = new Map<number, number>();
  for (const series of chart.series)
    for (const { x, y } of drawablePoints(chart, series))
      ends.set(x, Math.max(ends.get(x) ?? Number.NEGATIVE_INFINITY, y));
  return [...ends]
    .map(([x, y]) => {
      const { top, to } = geometryOf(chart, frame, x, 0, y);
      return svgText(to + 4, top + 12, shortNumber(y), { size, color: theme.text });
    })
    .join("");
}
