import { linearScale, logScale, type Scale } from "../../src/math/plotting/index.ts";
import type { PointRange } from "../model/chart-state.ts";
import type { History } from "../model/series-lines.ts";

export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Coordinates of the points of histories, and the SVG paths to draw. */
export interface HistoryShape {
  readonly y: Scale;
  xOf(point: number): number;
  yOf(value: number): number;
  /** The point of the range nearest to a horizontal position. */
  pointAt(x: number): number;
  /** The range between two horizontal positions, which may be outside of the picture. */
  rangeAt(from: number, to: number): PointRange;
  /** Of each history. */
  readonly medians: readonly string[];
  /** Of the measured values; empty: none. */
  readonly band: string;
}

export interface ShapeOptions {
  readonly isLog?: boolean;
  readonly isFromZero?: boolean;
  /** Of several series only one may be visible: none has a band. */
  readonly hasBand?: boolean;
  /** Horizontal positions of the points, such as dates; default: points at equal distances. */
  readonly positions?: ArrayLike<number> | undefined;
}

/** The shape of parallel histories, at least one. */
export function historyShape(
  histories: readonly History[],
  range: PointRange,
  paper: Paper,
  options: ShapeOptions = {},
): HistoryShape {
  const hasBand = histories.length === 1 && options.hasBand !== false;
  const y = valueScale(histories, range, Math.max(2, Math.floor(paper.height / 50)), { ...options, hasBand });
  const [plotWidth, plotHeight] = [paper.width - paper.left - paper.right, paper.height - paper.top - paper.bottom];
  const positionOf = (point: number): number => options.positions?.[point] ?? point;
  const [start, span] = extentOf(range, positionOf);
  const xOf = (point: number): number =>
    paper.left + (span === 0 ? 0.5 : (positionOf(point) - start) / span) * plotWidth;
  const yOf = (value: number): number => paper.top + (1 - y.at(value)) * plotHeight;
  const positionAt = (x: number): number => start + ((x - paper.left) / Math.max(1, plotWidth)) * span;
  const last = (histories[0]?.center.length ?? 1) - 1;
  const nearestIn = (position: number, from: number, to: number): number => {
    if (options.positions === undefined) return Math.min(to, Math.max(from, Math.round(position)));
    let best = from;
    for (let point = from + 1; point <= to; point++)
      if (Math.abs(positionOf(point) - position) < Math.abs(positionOf(best) - position)) best = point;
    return best;
  };
  const pointAt = (x: number): number => nearestIn(positionAt(x), range.from, range.to);
  const rangeAt = (from: number, to: number): PointRange => {
    const ends = [from, to].map((x) => nearestIn(positionAt(x), 0, last));
    return { from: Math.min(...ends), to: Math.max(...ends) };
  };
  const size = Math.max(50, Math.floor(plotWidth));
  const buckets = histories.map((history) => bucketsOf(history, range.from, range.to, size));
  const medians = buckets.map((each) => medianPath(each, xOf, yOf));
  return { y, xOf, yOf, pointAt, rangeAt, medians, band: hasBand ? bandPath(buckets[0]!, xOf, yOf) : "" };
}

/** The first position of the points of a range, and the distance to the last one. */
function extentOf({ from, to }: PointRange, positionOf: (point: number) => number): [start: number, span: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let point = from; point <= to; point++) {
    first = Math.min(first, positionOf(point));
    last = Math.max(last, positionOf(point));
  }
  return [first, last - first];
}

function valueScale(
  histories: readonly History[],
  { from, to }: PointRange,
  ticks: number,
  { isLog = false, isFromZero = false, hasBand = true }: ShapeOptions,
): Scale {
  let [least, most] = isFromZero ? [0, 0] : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { center, low, high } of histories) {
    for (const column of hasBand ? [center, low, high] : [center]) {
      for (let i = from; i <= to; i++) {
        const value = column[i] ?? Number.NaN;
        if (!Number.isFinite(value)) continue;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
  }
  if (least > most) return linearScale(0, 1, ticks);
  return isLog ? logScale(least, most, ticks) : linearScale(least, most, ticks);
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
