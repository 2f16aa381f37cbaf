import {
  type ChartBlock,
  type ChartSeries,
  drawablePoints,
  markOf,
  yAxisOf,
  isStacked,
} from "../../../../core/figures/index.ts";
import { formatUnit } from "../../../../core/values/index.ts";
import { type Scale, shortNumber } from "../../../../math/plotting/index.ts";
import { barSlot, chartPlot, type ChartPlot } from "./chart-option.ts";
import { tickLabel } from "../chart-scales.ts";
import { barPosition } from "./custom-series.ts";
import { chartLayout, type Paper } from "./svg-figure.ts";
import { type HorizontalBar, horizontalBars } from "./svg-horizontal-bars.ts";
import { themeOf } from "../theme.ts";

/**
 * The area of a point and its description: pixels from the upper left corner to its centre, and its half size.
 */
export interface ChartSpot {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly text: string;
}

/** Above this number of points, tooltips are useless. */
const maxSpots = 20_000;

/** The areas of points in the picture that `svgChart` draws of a chart without caption. */
export function chartSpots(block: ChartBlock, paper: Paper): ChartSpot[] {
  const count = block.series.reduce((sum, series) => sum + series.y.length, 0);
  if (count > maxSpots) return [];
  const { legend, rest } = chartLayout(block, themeOf(paper.dark), paper.width, paper.height);
  const spots =
    block.horizontal === true
      ? horizontalSpots(block, paper.width)
      : verticalSpots(block, chartPlot(block, paper.width, rest));
  return spots.map((spot) => ({ ...spot, y: spot.y + legend.height }));
}

function verticalSpots(block: ChartBlock, drawn: ChartPlot): ChartSpot[] {
  const { chart, scales, frame, plot } = drawn;
  return chart.series.flatMap((series, at) => {
    const own = block.series[at] ?? series;
    const values = isStacked(chart, series) ? valuesByX(own) : undefined;
    const scale = scales.y[series.axis] ?? scales.x;
    const bar =
      markOf(chart, series) === "bars"
        ? barPosition(barSlot(chart, series, scales, plot.width))
        : { width: 0, offset: 0 };
    const reaches = bar.width > 0 || values !== undefined;
    return drawablePoints(chart, series).map(({ x, y }): ChartSpot => {
      const value = values?.get(x) ?? y;
      const [end, start] = [y, reaches ? y - value : y].map(
        (each) => frame.top + (1 - clampedPosition(scale, each)) * plot.height,
      ) as [number, number];
      return {
        x: frame.left + scales.x.at(x) * plot.width + bar.offset,
        y: (start + end) / 2,
        halfWidth: bar.width / 2,
        halfHeight: Math.abs(end - start) / 2,
        text: spotText(block, own, x, value),
      };
    });
  });
}

/**
 * Position 0..1 of a number on a scale, clamped to its ends (such as zero on a log scale).
 */
function clampedPosition(scale: Scale, value: number): number {
  return scale.at(Math.min(Math.max(value, scale.low), scale.high));
}

function horizontalSpots(block: ChartBlock, width: number): ChartSpot[] {
  const bars = horizontalBars(block, width);
  const covered = new Map<string, HorizontalBar>();
  return bars.map((bar): ChartSpot => {
    const own = block.series[bar.series] as ChartSeries;
    const value = block.stacked === true ? (valuesByX(own).get(bar.category) ?? bar.end) : bar.end;
    const stack = `${bar.category} ${value < 0}`;
    const below = block.stacked === true ? covered.get(stack) : undefined;
    covered.set(stack, bar);
    const [from, to] = value < 0 ? [bar.from, below?.from ?? bar.to] : [below?.to ?? bar.from, bar.to];
    return {
      x: (from + to) / 2,
      y: bar.top + bar.height / 2,
      halfWidth: Math.abs(to - from) / 2,
      halfHeight: bar.height / 2,
      text: spotText(block, own, bar.category, value),
    };
  });
}

function valuesByX({ x, y }: ChartSeries): ReadonlyMap<number, number> {
  return new Map(Array.from(x, (position, i) => [position, y[i] ?? Number.NaN]));
}

function spotText(chart: ChartBlock, series: ChartSeries, x: number, y: number): string {
  const axis = yAxisOf(chart, series);
  const value = [shortNumber(y), formatUnit(axis.unit)].filter((part) => part !== "").join(" ");
  const position = [tickLabel(chart.x, x), formatUnit(chart.x.unit)].filter((part) => part !== "").join(" ");
  return `${series.label}: ${value} at ${position}`;
}
