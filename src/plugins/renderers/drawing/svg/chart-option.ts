import {
  type Axis,
  type ChartBlock,
  type ChartSeries,
  drawablePoints,
  markOf,
  type Mark,
} from "../../../../core/figures/figure.ts";
import { isStacked, stackedChart } from "../../../../core/figures/stacked-chart.ts";
import { terminalText } from "../../../../core/text/terminal-text.ts";
import type { Scale } from "../../../../math/plotting/scale.ts";
import { type ChartScales, drawnAxisTitle, scalesOf, tickLabel } from "../chart-scales.ts";
import { areaSeries, barSeries, cloudSeries, errorSeries, type Slot } from "./custom-series.ts";
import { cutToPixels, fontFamily, textWidth } from "./dejavu-sans.ts";
import { lookOf, type SeriesLook, type Theme } from "../theme.ts";
import { type PlacedPoint, thinnedLine, thinnedPoints } from "./thin-points.ts";

const labelSize = 12;
const titleSize = 13;
const widestLabel = 150;
/** From this many points on they are drawn as one path, which takes a hundredth of the time. */
const cloudFrom = 1000;
/** Categories whose names do not fit side by side are written upwards at this angle. */
const slope = 30;
/** Pixels between labels written upwards, so that they do not touch. */
const turnedRoom = 28;

/**
 * What echarts is to draw for a chart in a picture of this size. Both axes run from 0 to 1 and points come placed by
 * our own scales, so that ticks, logarithms and extremes look the same in every medium.
 */
export function chartOption(
  block: ChartBlock,
  theme: Theme,
  width: number,
  height: number,
): Readonly<Record<string, unknown>> {
  const { chart, scales, frame, plot } = chartPlot(block, width, height);
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily, color: theme.text },
    grid: { left: frame.left, right: frame.right, top: frame.top, bottom: frame.bottom },
    xAxis: xAxis(chart.x, scales.x, theme, frame, plot.width),
    yAxis: chart.y.map((axis, i) => yAxis(axis, scales.y[i] as Scale, theme, i, plot.height)),
    series: fromBehind(chart).flatMap(([series, i]) => seriesOf(chart, series, i, scales, theme, plot)),
  };
}

/** Where in a picture a chart has its points. */
export interface ChartPlot {
  /** Stacked already where it has to be. */
  readonly chart: ChartBlock;
  readonly scales: ChartScales;
  readonly frame: Frame;
  readonly plot: { readonly width: number; readonly height: number };
}

export function chartPlot(block: ChartBlock, width: number, height: number): ChartPlot {
  const chart = stackedChart(block);
  const scales = scalesOf(chart, Math.max(2, Math.floor(width / 90)), Math.max(2, Math.floor(height / 55)));
  const frame = frameOf(chart, scales, width);
  return {
    chart,
    scales,
    frame,
    plot: { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom },
  };
}

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Degrees that the labels of the x axis are turned by. */
  readonly turned: number;
}

function frameOf(chart: ChartBlock, scales: ChartScales, width: number): Frame {
  const [left = 0, right] = scales.y.map((scale, i) =>
    widest(scale.ticks.map((tick) => tickLabel(chart.y[i] as Axis, tick))),
  );
  const edge = textWidth(xLabels(chart.x, scales.x).at(-1) ?? "", labelSize) / 2 + 8;
  const space = {
    left: left + 44,
    right: right === undefined ? Math.max(20, chart.x.scale === "category" ? 0 : edge) : right + 44,
  };
  const labels = xLabels(chart.x, scales.x);
  const slot = (width - space.left - space.right) / Math.max(1, scales.x.ticks.length);
  if (chart.x.scale !== "category" || widest(labels) + 8 <= slot)
    return { ...space, top: 14, bottom: labelSize + 40, turned: 0 };
  const angle = (slope * Math.PI) / 180;
  const first = textWidth(labels[0] ?? "", labelSize) * Math.cos(angle) - slot / 2;
  const bottom = widest(labels) * Math.sin(angle) + labelSize + 40;
  return { left: Math.max(space.left, first), right: space.right, top: 14, bottom, turned: slope };
}

function xLabels(axis: Axis, scale: Scale): string[] {
  return scale.ticks.map((tick) => cutToPixels(terminalText(tickLabel(axis, tick)), widestLabel, labelSize));
}

function widest(labels: readonly string[]): number {
  return labels.reduce((most, label) => Math.max(most, textWidth(label, labelSize)), 0);
}

function xAxis(axis: Axis, scale: Scale, theme: Theme, frame: Frame, width: number): object {
  const labels = xLabels(axis, scale);
  const room = frame.turned === 0 ? 1 : turnedRoom;
  const stride = Math.max(1, Math.ceil((labels.length * room) / Math.max(1, width)));
  const kept = scale.ticks.filter((_, i) => i % stride === 0);
  return {
    ...baseAxis(
      axis,
      theme,
      kept.map(scale.at),
      labels.filter((_, i) => i % stride === 0),
      width,
    ),
    nameGap: frame.bottom - 20,
    axisLabel: {
      ...labelOf(
        theme,
        kept.map(scale.at),
        labels.filter((_, i) => i % stride === 0),
      ),
      rotate: frame.turned,
    },
    splitLine: { show: axis.scale !== "category", lineStyle: { color: theme.grid } },
  };
}

function yAxis(axis: Axis, scale: Scale, theme: Theme, side: number, height: number): object {
  const labels = scale.ticks.map((tick) => tickLabel(axis, tick));
  return {
    ...baseAxis(axis, theme, scale.ticks.map(scale.at), labels, height + 30),
    position: side === 0 ? "left" : "right",
    nameGap: widest(labels) + 20,
    nameRotate: side === 0 ? 90 : -90,
    splitLine: { show: side === 0, lineStyle: { color: theme.grid } },
  };
}

function baseAxis(
  axis: Axis,
  theme: Theme,
  places: readonly number[],
  labels: readonly string[],
  room: number,
): object {
  return {
    type: "value",
    min: 0,
    max: 1,
    name: cutToPixels(terminalText(drawnAxisTitle(axis)), Math.min(420, room), titleSize),
    nameLocation: "middle",
    nameTextStyle: { fontSize: titleSize, color: theme.text },
    axisLine: { show: true, onZero: false, lineStyle: { color: theme.axis } },
    axisTick: { show: true, customValues: places, lineStyle: { color: theme.axis } },
    axisLabel: labelOf(theme, places, labels),
  };
}

function labelOf(theme: Theme, places: readonly number[], labels: readonly string[]): object {
  const nearest = (value: number): string => {
    const i = places.findIndex((place) => Math.abs(place - value) < 1e-9);
    return labels[i] ?? "";
  };
  return { customValues: places, fontSize: labelSize, color: theme.text, formatter: nearest };
}

function seriesOf(
  chart: ChartBlock,
  series: ChartSeries,
  i: number,
  scales: ChartScales,
  theme: Theme,
  plot: { width: number; height: number },
) {
  const y = scales.y[series.axis] as Scale;
  const all = drawablePoints(chart, series).map((point) => ({
    x: scales.x.at(point.x),
    y: y.at(point.y),
    low: y.at(point.low),
    high: y.at(point.high),
  }));
  const look = lookOf(theme, i);
  const mark = markOf(chart, series);
  const zero = y.at(Math.min(Math.max(0, y.low), y.high));
  if (mark === "bars") {
    const slot = barSlot(chart, series, scales, plot.width);
    return [barSeries(all, zero, slot, series.axis, look.color), ...errorSeries(all, slot, series.axis, theme.text)];
  }
  const points = mark === "points" ? thinnedPoints(all, plot.width, plot.height) : thinnedLine(all, plot.width);
  const marks = mark === "points" ? pointMarks(points, look) : lineMarks(mark, points, look, plot.width);
  const filling = mark === "area" ? [areaSeries(points, zero, series.axis, look.color, isStacked(chart, series))] : [];
  if (isStacked(chart, series)) return filling;
  return [
    ...filling,
    { ...marks, yAxisIndex: series.axis, silent: true, clip: false },
    ...errorSeries(points, undefined, series.axis, look.color),
  ];
}

/** The room of the bars of a series within that of a category. */
export function barSlot(chart: ChartBlock, series: ChartSeries, { x }: ChartScales, width: number): Slot {
  const bars = chart.series.filter((each) => markOf(chart, each) === "bars");
  const place = chart.stacked === true ? { index: 0, count: 1 } : { index: bars.indexOf(series), count: bars.length };
  return { ...place, width: width / x.ticks.length };
}

/** Lines and points are drawn over bars and areas, and of what is stacked the lower over the upper. */
function fromBehind(chart: ChartBlock): (readonly [ChartSeries, number])[] {
  const all = chart.series.map((series, i) => [series, i] as const);
  const isBehind = ([series]: (typeof all)[number]): boolean => ["bars", "area"].includes(markOf(chart, series));
  const behind = all.filter(isBehind);
  return [...(chart.stacked === true ? behind.toReversed() : behind), ...all.filter((each) => !isBehind(each))];
}

function pointMarks(points: readonly PlacedPoint[], look: SeriesLook): object {
  if (points.length > cloudFrom) return cloudSeries(points, look.color);
  return {
    type: "scatter",
    symbol: look.symbol,
    symbolSize: 8,
    itemStyle: { color: look.color, opacity: 0.9 },
    data: places(points),
  };
}

function lineMarks(mark: Mark, points: readonly PlacedPoint[], look: SeriesLook, width: number): object {
  return {
    type: "line",
    symbol: look.symbol,
    symbolSize: 7,
    showSymbol: points.length === 1 || (mark !== "curve" && mark !== "area" && points.length <= width / 12),
    showAllSymbol: true,
    itemStyle: { color: look.color },
    lineStyle: { color: look.color, width: 2, type: look.dash },
    ...(mark === "steps" ? { step: "end" } : {}),
    data: places(points),
  };
}

function places(points: readonly PlacedPoint[]): [number, number][] {
  return points.map((point) => [point.x, point.y]);
}
