import { type ChartBlock, type ChartSeries, drawablePoints, yAxisOf } from "../../../core/figure.ts";
import { formatUnit } from "../../../core/unit.ts";
import { shortNumber } from "../../../math/scale.ts";
import { chartPlot } from "./chart-option.ts";
import { tickLabel } from "./chart-scales.ts";
import { chartRooms, type Paper } from "./svg-figure.ts";
import { themeOf } from "./theme.ts";

/** A point of a picture and what is said of it; pixels from the upper left corner. */
export interface ChartSpot {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** Nobody points at one of more. */
const mostSpots = 20_000;

/** Where the points of a chart without caption are in the picture that `svgChart` draws of it; none of stacked and lying ones. */
export function chartSpots(block: ChartBlock, paper: Paper): ChartSpot[] {
  const count = block.series.reduce((sum, series) => sum + series.y.length, 0);
  if (block.stacked === true || block.lying === true || count > mostSpots) return [];
  const { legend, rest } = chartRooms(block, themeOf(paper.dark), paper.width, paper.height);
  const { chart, scales, frame, plot } = chartPlot(block, paper.width, rest);
  return chart.series.flatMap((series) =>
    drawablePoints(chart, series).map((point) => ({
      x: frame.left + scales.x.at(point.x) * plot.width,
      y: legend.height + frame.top + (1 - (scales.y[series.axis] ?? scales.x).at(point.y)) * plot.height,
      text: spotText(chart, series, point.x, point.y),
    })),
  );
}

function spotText(chart: ChartBlock, series: ChartSeries, x: number, y: number): string {
  const axis = yAxisOf(chart, series);
  const value = [shortNumber(y), formatUnit(axis.unit)].filter((part) => part !== "").join(" ");
  const place = [tickLabel(chart.x, x), formatUnit(chart.x.unit)].filter((part) => part !== "").join(" ");
  return `${series.label}: ${value} at ${place}`;
}
