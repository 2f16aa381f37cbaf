import { type ChartData, type ChartPoint, slotName, slotOfName } from "./chart-data.ts";
import type { History } from "./series-lines.ts";

type Params = Readonly<Record<string, string>>;

/** Scales of the values; relative: to the first point of each series. */
export const chartScales = ["absolute", "relative", "log"] as const;

export type ChartScale = (typeof chartScales)[number];

/** A range of points, both ends inclusive. */
export interface PointRange {
  readonly from: number;
  readonly to: number;
}

/** What is chosen in a chart, as in the address of its page. */
export interface ChartState {
  readonly scale: ChartScale;
  readonly isOverTime: boolean;
  readonly isFromZero: boolean;
  readonly range: PointRange;
  /** The selected point, if the address names one. */
  readonly selected: ChartPoint | undefined;
  readonly pins: readonly ChartPoint[];
  readonly hidden: ReadonlySet<number>;
}

/** The parameters that `chartState` reads. */
export const chartParams = ["scale", "axis", "zero", "range", "at", "pin", "hide"] as const;

/** The most pinned points of a chart. */
const maxPins = 40;

/** What damaged parameters name is ignored. */
export function chartState(data: ChartData, params: Params): ChartState {
  const units = new Set(data.lines.map(({ line }) => line.unit));
  // Values of different units have no common axis.
  const scale = chartScales.find((each) => each === params["scale"]) ?? (units.size > 1 ? "relative" : "absolute");
  const pins = partsOf(params["pin"]).flatMap((text) => pointOfName(data, text) ?? []);
  return {
    scale,
    isOverTime: params["axis"] === "time",
    isFromZero: params["zero"] === "yes" && scale !== "log",
    range: rangeOfName(data, params["range"] ?? ""),
    selected: pointOfName(data, params["at"] ?? ""),
    pins: pins.slice(0, maxPins),
    hidden: new Set(partsOf(params["hide"]).map(Number)),
  };
}

const partsOf = (text = ""): readonly string[] => text.split(",").filter((part) => part !== "");

/** `0@1f2e3d4c5b`: the position of the series and the commit. */
export function pointName(data: ChartData, { line, slot }: ChartPoint): string {
  return `${line}@${slotName(data, slot)}`;
}

function pointOfName(data: ChartData, text: string): ChartPoint | undefined {
  const [, line = "", name = ""] = /^(\d{1,4})@(\w+)$/.exec(text) ?? [];
  const slot = slotOfName(data, name);
  return line === "" || slot < 0 || Number(line) >= data.lines.length ? undefined : { line: Number(line), slot };
}

/** The list of pins with this one added, or removed if it is there. */
export function toggledPin(data: ChartData, pins: readonly ChartPoint[], point: ChartPoint): string {
  const names = pins.map((each) => pointName(data, each));
  const name = pointName(data, point);
  return (names.includes(name) ? names.filter((each) => each !== name) : [...names, name]).join(",");
}

/** `a..b`; an end without a name is that of all points, also of those to come. */
export function rangeName(data: ChartData, { from, to }: PointRange): string {
  const last = data.slots.length - 1;
  if (from <= 0 && to >= last) return "";
  return `${from <= 0 ? "" : slotName(data, from)}..${to >= last ? "" : slotName(data, to)}`;
}

function rangeOfName(data: ChartData, text: string): PointRange {
  const all = { from: 0, to: Math.max(0, data.slots.length - 1) };
  const [first = "", second = ""] = text.split("..", 2);
  const from = first === "" ? all.from : slotOfName(data, first);
  const to = second === "" ? all.to : slotOfName(data, second);
  return from < 0 || to <= from ? all : { from, to };
}

/** The values on a scale; those without a position on it are NaN. */
export function scaledHistory(history: History, scale: ChartScale): History {
  if (scale === "absolute") return history;
  const first = Array.from(history.center).find((value) => Number.isFinite(value) && value !== 0) ?? Number.NaN;
  const scaled = (value: number): number => (scale === "relative" ? value / first : value > 0 ? value : Number.NaN);
  const [center, low, high] = [history.center, history.low, history.high].map((column) =>
    Float64Array.from(column, scaled),
  ) as [Float64Array, Float64Array, Float64Array];
  return { ...history, center, low, high };
}

/** A range around a point, `share` times as long as the given one, clamped to all points. */
export function zoomed({ from, to }: PointRange, around: number, share: number, last: number): PointRange {
  const length = Math.min(last, Math.max(4, Math.round((to - from) * share)));
  const start = Math.min(last - length, Math.max(0, Math.round(around - length / 2)));
  return { from: start, to: start + length };
}

/** The range moved by a number of points, clamped to all points. */
export function panned({ from, to }: PointRange, by: number, last: number): PointRange {
  const start = Math.min(last - (to - from), Math.max(0, from + by));
  return { from: start, to: start + to - from };
}
