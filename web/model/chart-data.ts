import type { VersionColumns } from "../../src/core/pages/index.ts";
import { csvNumber, csvText } from "./csv-text.ts";
import { shortId } from "./number-text.ts";
import type { History, SeriesLine } from "./series-lines.ts";

export interface ChartLine {
  readonly line: SeriesLine;
  /** Parallel to the slots of the chart; NaN where the series has no point. */
  readonly history: History;
}

/** The series of a chart over common horizontal positions. */
export interface ChartData {
  readonly versions: VersionColumns;
  /** The commit of each slot; -1: unknown. */
  readonly slots: ArrayLike<number>;
  readonly lines: readonly ChartLine[];
}

/** A point of a chart: positions in the list of its lines and of its slots. */
export interface ChartPoint {
  readonly line: number;
  readonly slot: number;
}

/** The points of one series are the slots; several series share the commits that at least one of them has. */
export function chartData(versions: VersionColumns, lines: readonly ChartLine[]): ChartData {
  const [first] = lines;
  if (first === undefined || lines.length === 1) return { versions, slots: first?.history.version ?? [], lines };
  const commits = new Set(lines.flatMap(({ history }) => Array.from(history.version).filter((at) => at >= 0)));
  const slots = Int32Array.from(commits).sort();
  const slotOf = new Map(Array.from(slots, (commit, slot) => [commit, slot]));
  const aligned = lines.map(({ line, history }) => ({ line, history: alignedHistory(history, slots, slotOf) }));
  return { versions, slots, lines: aligned };
}

function alignedHistory(history: History, slots: Int32Array, slotOf: ReadonlyMap<number, number>): History {
  const toSlots = (column: ArrayLike<number>, missing: number): Float64Array => {
    const aligned = new Float64Array(slots.length).fill(missing);
    for (let point = 0; point < column.length; point++) {
      const slot = slotOf.get(history.version[point] ?? -1);
      if (slot !== undefined) aligned[slot] = column[point] ?? missing;
    }
    return aligned;
  };
  return {
    version: slots,
    center: toSlots(history.center, Number.NaN),
    low: toSlots(history.low, Number.NaN),
    high: toSlots(history.high, Number.NaN),
    n: toSlots(history.n, 0),
    changes: history.changes.flatMap((point) => slotOf.get(history.version[point] ?? -1) ?? []),
  };
}

/** Dates of the slots for an axis of time; undefined if a commit is unknown or all have one date. */
export function slotDates({ versions, slots }: ChartData): Float64Array | undefined {
  const dates = Float64Array.from(slots, (commit) => versions.arrays.date[commit] ?? 0);
  return dates.includes(0) || dates.every((date) => date === dates[0]) ? undefined : dates;
}

/** The name of a slot in an address: the start of its commit's id; `n3` for the third point without a known commit. */
export function slotName({ versions, slots }: ChartData, slot: number): string {
  const id = versions.facts.ids[slots[slot] ?? -1];
  return id === undefined ? `n${slot + 1}` : shortId(id);
}

/** The slot with this name; -1: none. */
export function slotOfName({ versions, slots }: ChartData, name: string): number {
  const [, ordinal] = /^n(\d{1,9})$/.exec(name) ?? [];
  if (ordinal !== undefined) return Number(ordinal) <= slots.length ? Number(ordinal) - 1 : -1;
  if (!/^[0-9a-f]{4,}$/.test(name)) return -1;
  for (let slot = slots.length - 1; slot >= 0; slot--)
    if (versions.facts.ids[slots[slot] ?? -1]?.startsWith(name) === true) return slot;
  return -1;
}

const csvColumns = ["commit", "date", "subject", "benchmark", "metric", "unit", "median", "low", "high", "values"];

/** The points of these lines from one slot to another, with all digits. */
export function chartCsv(
  { versions, slots, lines }: ChartData,
  range: { readonly from: number; readonly to: number },
  isShown: (line: number) => boolean,
): string {
  const cells = lines.flatMap(({ line, history }, at) => {
    if (!isShown(at)) return [];
    return Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i).flatMap((slot) => {
      const { center, low, high, n } = history;
      const numbers = [center, low, high, n].map((column) => column[slot] ?? Number.NaN);
      if (Number.isNaN(numbers[0])) return [];
      const commit = slots[slot] ?? -1;
      const seconds = versions.arrays.date[commit] ?? 0;
      const date = seconds === 0 ? "" : new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
      const { facts } = versions;
      const names = [facts.ids[commit] ?? "", date, facts.subjects[commit] ?? ""];
      return [[...names, line.benchmark, line.metric, line.unit, ...numbers.map(csvNumber)]];
    });
  });
  return csvText([csvColumns, ...cells]);
}
