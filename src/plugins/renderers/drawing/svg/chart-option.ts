import {
  type Axis,
  type ChartBlock,
  type ChartSeries,
  drawablePoints,
  markOf,
  type Mark,
  isStacked,
  stackedChart,
} from "../../../../core/figures/index.ts";
import { terminalText } from "../../../../core/text/index.ts";
import type { Scale } from "../../../../math/plotting/index.ts";
import { type ChartScales, drawnAxisTitle, scalesOf, tickLabel } from "../chart-scales.ts";
import { areaSeries, barSeries, cloudSeries, errorSeries, type Slot } from "./custom-series.ts";
import { cutToPixels, fontFamily, textWidth } from "./dejavu-sans.ts";
import { lookOf, type SeriesLook, type Theme } from "../theme.ts";
import { type ScaledPoint, thinnedLine, thinnedPoints } from "./thin-points.ts";

const labelSize = 12;
const titleSize = 13;
const widestLabel = 150;
/** Above this number, points are drawn as one path, which is a hundred times faster. */
const maxSymbols = 1000;
/** Angle in degrees of category labels that do not fit horizontally. */
const labelAngle = 30;
/** Minimum pixels between rotated labels. */
const rotatedSpacing = 28;

/**
 * The echarts option for a chart of this size. Both axes run from 0 to 1 and points are scaled by perfkeep, so that
 * ticks, logarithms and extremes are the same in every medium.
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
    series: inDrawingOrder(chart).flatMap(([series, i]) => seriesOf(chart, series, i, scales, theme, plot)),
  };
}

/** Scales and geometry of a chart. */
export interface ChartPlot {
  /** Stacked if required. */
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
  /** Rotation of the x labels in degrees. */
  readonly rotation: number;
}

function frameOf(chart: ChartBlock, scales: ChartScales, width: number): Frame {
  const [left = 0, right] = scales.y.map((scale, i) =>
    widest(scale.ticks.map((tick) => tickLabel(chart.y[i] as Axis, tick, scale))),
  );
  const edge = textWidth(xLabels(chart.x, scales.x).at(-1) ?? "", labelSize) / 2 + 8;
  const space = {
    left: left + 44,
    right: right === undefined ? Math.max(20, chart.x.scale === "category" ? 0 : edge) : right + 44,
  };
  const labels = xLabels(chart.x, scales.x);
  const slot = (width - space.left - space.right) / Math.max(1, scales.x.ticks.length);
  if (chart.x.scale !== "category" || widest(labels) + 8 <= slot)
    return { ...space, top: 14, bottom: labelSize + 40, rotation: 0 };
  const angle = (labelAngle * Math.PI) / 180;
  const first = textWidth(labels[0] ?? "", labelSize) * Math.cos(angle) - slot / 2;
  const bottom = widest(labels) * Math.sin(angle) + labelSize + 40;
  return { left: Math.max(space.left, first), right: space.right, top: 14, bottom, rotation: labelAngle };
}

function xLabels(axis: Axis, scale: Scale): string[] {
  return scale.ticks.map((tick) => cutToPixels(terminalText(tickLabel(axis, tick, scale)), widestLabel, labelSize));
}

function widest(labels: readonly string[]): number {
  return labels.reduce((maximum, label) => Math.max(maximum, textWidth(label, labelSize)), 0);
}

function xAxis(axis: Axis, scale: Scale, theme: Theme, frame: Frame, width: number): object {
  const labels = xLabels(axis, scale);
  const room = frame.rotation === 0 ? 1 : rotatedSpacing;
  const stride = Math.max(1, Math.ceil((labels.length * room) / Math.max(1, width)));
  const labelled = scale.ticks.filter((_, i) => i % stride === 0);
  return {
    ...baseAxis(
      axis,
      theme,
      labelled.map(scale.at),
      labels.filter((_, i) => i % stride === 0),
      width,
    ),
    nameGap: frame.bottom - 20,
    axisLabel: {
      ...labelOf(
        theme,
        labelled.map(scale.at),
        labels.filter((_, i) => i % stride === 0),
      ),
      rotate: frame.rotation,
    },
    splitLine: { show: axis.scale !== "category", lineStyle: { color: theme.grid } },
  };
}

function yAxis(axis: Axis, scale: Scale, theme: Theme, side: number, height: number): object {
  const labels = scale.ticks.map((tick) => tickLabel(axis, tick, scale));
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
  positions: readonly number[],
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
    axisTick: { show: true, customValues: positions, lineStyle: { color: theme.axis } },
    axisLabel: labelOf(theme, positions, labels),
  };
}

function labelOf(theme: Theme, positions: readonly number[], labels: readonly string[]): object {
  const nearest = (value: number): string => {
    const i = positions.findIndex((position) => Math.abs(position - value) < 1e-9);
    return labels[i] ?? "";
  };
  return { customValues: positions, fontSize: labelSize, color: theme.text, formatter: nearest };
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
  const look = lookOf(theme, i, chart.stacked);
  const mark = markOf(chart, series);
  const zero = y.at(Math.min(Math.max(0, y.low), y.high));
  if (mark === "bars") {
    const slot = barSlot(chart, series, scales, plot.width);
    return [barSeries(all, zero, slot, series.axis, look), ...errorSeries(all, slot, series.axis, theme.text)];
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

/** The slot of a series' bars within a category. */
export function barSlot(chart: ChartBlock, series: ChartSeries, { x }: ChartScales, width: number): Slot {
  const bars = chart.series.filter((each) => markOf(chart, each) === "bars");
  const slot = chart.stacked === true ? { index: 0, count: 1 } : { index: bars.indexOf(series), count: bars.length };
  return { ...slot, width: width / x.ticks.length };
}

/** Drawing order: lines and points over bars and areas, lower stacked series over upper ones. */
function inDrawingOrder(chart: ChartBlock): (readonly [ChartSeries, number])[] {
  const all = chart.series.map((series, i) => [series, i] as const);
  const isFill = ([series]: (typeof all)[number]): boolean => ["bars", "area"].includes(markOf(chart, series));
  const fills = all.filter(isFill);
  return [...(chart.stacked === true ? fills.toReversed() : fills), ...all.filter((each) => !isFill(each))];
}

function pointMarks(points: readonly ScaledPoint[], look: SeriesLook): object {
  if (points.length > maxSymbols) return cloudSeries(points, look.color);
  return {
    type: "scatter",
    symbol: look.symbol,
    symbolSize: 8,
    itemStyle: { color: look.color, opacity: 0.9 },
    data: coordinates(points),
  };
}

function lineMarks(mark: Mark, points: readonly ScaledPoint[], look: SeriesLook, width: number): object {
  return {
    type: "line",
    symbol: look.symbol,
    symbolSize: 7,
    showSymbol: points.length === 1 || (mark !== "curve" && mark !== "area" && points.length <= width / 12),
    showAllSymbol: true,
    itemStyle: { color: look.color },
    lineStyle: { color: look.color, width: 2, type: look.dash },
    ...(mark === "steps" ? { step: "end" } : {}),
    data: coordinates(points),
  };
}

function coordinates(points: readonly ScaledPoint[]): [number, number][] {
  return points.map((point) => [point.x, point.y]);
}
