import { linearScale, type Scale } from "../../src/math/plotting/index.ts";
import type { History } from "../model/series-lines.ts";

/** A range of points, both ends inclusive. */
export interface PointRange {
  readonly from: number;
  readonly to: number;
}

export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Coordinates of the points of a history, and the SVG paths to draw. */
export interface HistoryShape {
  readonly y: Scale;
  xOf(point: number): number;
  yOf(value: number): number;
  /** The point nearest to a horizontal position. */
  pointAt(x: number): number;
  readonly median: string;
  readonly band: string;
}

export function historyShape(history: History, { from, to }: PointRange, paper: Paper): HistoryShape {
  const y = valueScale(history, from, to, Math.max(2, Math.floor(paper.height / 50)));
  const [plotWidth, plotHeight] = [paper.width - paper.left - paper.right, paper.height - paper.top - paper.bottom];
  const span = to - from;
  const xOf = (point: number): number => paper.left + (span === 0 ? 0.5 : (point - from) / span) * plotWidth;
  const yOf = (value: number): number => paper.top + (1 - y.at(value)) * plotHeight;
  const pointAt = (x: number): number =>
    Math.min(to, Math.max(from, from + Math.round(((x - paper.left) / Math.max(1, plotWidth)) * span)));
  const buckets = bucketsOf(history, from, to, Math.max(50, Math.floor(plotWidth)));
  return { y, xOf, yOf, pointAt, median: medianPath(buckets, xOf, yOf), band: bandPath(buckets, xOf, yOf) };
}

function valueScale({ center, low, high }: History, from: number, to: number, ticks: number): Scale {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = from; i <= to; i++) {
    for (const value of [center[i], low[i], high[i]]) {
      if (value === undefined || !Number.isFinite(value)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  return least > most ? linearScale(0, 1, ticks) : linearScale(least, most, ticks);
}

/** One point, or the extremes of the points that share a pixel. */
interface Bucket {
  readonly point: number;
  readonly centers: readonly number[];
  readonly low: number;
  readonly high: number;
}

function bucketsOf({ center, low, high }: History, from: number, to: number, pixels: number): Bucket[] {
  const size = Math.max(1, Math.ceil((to - from + 1) / pixels));
  const buckets: Bucket[] = [];
  for (let start = from; start <= to; start += size) {
    const [centers, lows, highs] = [center, low, high].map((column) =>
      finitePart(column, start, Math.min(to + 1, start + size)),
    );
    if (centers === undefined || centers.length === 0) continue;
    const ends = centers.length < 3 ? centers : [Math.min(...centers), Math.max(...centers)];
    buckets.push({
      point: start,
      centers: ends,
      low: Math.min(...(lows ?? []), ...ends),
      high: Math.max(...(highs ?? []), ...ends),
    });
  }
  return buckets;
}

function finitePart(column: ArrayLike<number>, from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => column[from + i] ?? Number.NaN).filter(Number.isFinite);
}

type ToPixels = (value: number) => number;

function medianPath(buckets: readonly Bucket[], x: ToPixels, y: ToPixels): string {
  const steps = buckets.flatMap(({ point, centers }) =>
    centers.map((value) => `${x(point).toFixed(1)} ${y(value).toFixed(1)}`),
  );
  return steps.length === 0 ? "" : `M${steps.join("L")}`;
}

function bandPath(buckets: readonly Bucket[], x: ToPixels, y: ToPixels): string {
  if (buckets.every(({ low, high }) => low === high)) return "";
  const above = buckets.map(({ point, high }) => `${x(point).toFixed(1)} ${y(high).toFixed(1)}`);
  const below = buckets.map(({ point, low }) => `${x(point).toFixed(1)} ${y(low).toFixed(1)}`).reverse();
  return `M${[...above, ...below].join("L")}Z`;
}
