import type { SeriesLook } from "../theme.ts";
import { round } from "./svg-text.ts";
import type { ScaledPoint } from "./thin-points.ts";

/** API that echarts passes to a custom series: pixels of a position in fractions 0..1, and values of the item. */
interface Pixels {
  coord(position: [number, number]): [number, number];
  value(dimension: number): number;
}

/** Slot of a series' bars within a category of `width` pixels. */
export interface Slot {
  readonly index: number;
  readonly count: number;
  readonly width: number;
}

const capWidth = 8;

/** Bars from the fraction `zero` of the y axis to each point; series are side by side. */
export function barSeries(
  points: readonly ScaledPoint[],
  zero: number,
  slot: Slot,
  yAxisIndex: number,
  { color, opacity }: SeriesLook,
): object {
  const { width, offset } = barPosition(slot);
  const renderItem = (_: unknown, pixels: Pixels): object => {
    const [x, y] = pixels.coord([pixels.value(0), pixels.value(1)]);
    const [, base] = pixels.coord([pixels.value(0), zero]);
    const shape = { x: x + offset - width / 2, y: Math.min(y, base), width, height: Math.abs(base - y) };
    return { type: "rect", shape, style: { fill: color, ...(opacity === 1 ? {} : { opacity }) } };
  };
  return {
    type: "custom",
    yAxisIndex,
    silent: true,
    clip: false,
    renderItem,
    data: points.map((point) => [point.x, point.y]),
  };
}

/** The area between the points and the fraction `zero` of the y axis; opaque if it `covers` others. */
export function areaSeries(
  points: readonly ScaledPoint[],
  zero: number,
  yAxisIndex: number,
  color: string,
  covers: boolean,
): object {
  const renderItem = (_: unknown, pixels: Pixels): object => {
    const pixel = (x: number, y: number): string => pixels.coord([x, y]).map(round).join(" ");
    const [first, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0];
    const along = points.map(({ x, y }) => `L${pixel(x, y)}`).join("");
    const shape = { pathData: `M${pixel(first, zero)}${along}L${pixel(last, zero)}Z` };
    return { type: "path", shape, style: { fill: color, opacity: covers ? 1 : 0.25 } };
  };
  return { type: "custom", yAxisIndex, silent: true, clip: false, renderItem, data: [[0, 0]] };
}

/** Vertical error bars with caps for the points that have them; empty if none has. */
export function errorSeries(
  points: readonly ScaledPoint[],
  slot: Slot | undefined,
  yAxisIndex: number,
  color: string,
): object[] {
  const data = points.filter((point) => point.high > point.low).map((point) => [point.x, point.low, point.high]);
  if (data.length === 0) return [];
  const offset = slot === undefined ? 0 : barPosition(slot).offset;
  const renderItem = (_: unknown, pixels: Pixels): object => {
    const [x, low] = pixels.coord([pixels.value(0), pixels.value(1)]);
    const [, high] = pixels.coord([pixels.value(0), pixels.value(2)]);
    return errorBar(x + offset, low, high, color);
  };
  return [{ type: "custom", yAxisIndex, silent: true, clip: false, z: 3, renderItem, data }];
}

function errorBar(x: number, low: number, high: number, stroke: string): object {
  const line = (x1: number, y1: number, x2: number, y2: number): object => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke, lineWidth: 1.5 },
  });
  const half = capWidth / 2;
  return {
    type: "group",
    children: [line(x, low, x, high), line(x - half, low, x + half, low), line(x - half, high, x + half, high)],
  };
}

/** Many points as small squares in a single path. */
export function cloudSeries(points: readonly ScaledPoint[], color: string): object {
  const renderItem = (_: unknown, pixels: Pixels): object => {
    const [left, bottom] = pixels.coord([0, 0]);
    const [right, top] = pixels.coord([1, 1]);
    const squares = points.map(
      ({ x, y }) =>
        `M${Math.round(left + x * (right - left)) - 1} ${Math.round(bottom + y * (top - bottom)) - 1}h2v2h-2z`,
    );
    return { type: "path", shape: { pathData: squares.join("") }, style: { fill: color, opacity: 0.6 } };
  };
  return { type: "custom", renderItem, data: [[0, 0]] };
}

/**
 * Width of a bar and its offset from the centre of its category. Bars fill 70 % of a category, up to 60 pixels each.
 */
export function barPosition({ index, count, width }: Slot): { width: number; offset: number } {
  const own = Math.min(60, (width * 0.7) / count);
  return { width: Math.max(0.5, own * 0.94), offset: (index - (count - 1) / 2) * own };
}
