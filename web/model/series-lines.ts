import type { SeriesColumns } from "../../src/core/pages/columns.ts";
import type { PointBlock } from "../../src/core/pages/frame.ts";
import type { FrameArray } from "../../src/core/pages/frame.ts";
import type { VerdictOutcome } from "../../src/core/verdicts/verdict.ts";

/** A series as lists show it. */
export interface SeriesLine {
  readonly place: number;
  readonly key: string;
  readonly benchmark: string;
  readonly metric: string;
  readonly unit: string;
  readonly word: VerdictOutcome;
  /** NaN: it did not change. */
  readonly delta: number;
  readonly count: number;
  readonly last: number;
  readonly better: "lower" | "higher";
}

export function seriesLine({ facts, arrays }: SeriesColumns, place: number): SeriesLine {
  const text = (column: "benchmark" | "metric" | "unit" | "key"): string =>
    facts.texts[arrays[column][place] ?? -1] ?? "";
  return {
    place,
    key: text("key"),
    benchmark: text("benchmark"),
    metric: text("metric"),
    unit: text("unit"),
    word: facts.words[arrays.word[place] ?? -1] ?? "inconclusive",
    delta: arrays.delta[place] ?? Number.NaN,
    count: arrays.count[place] ?? 0,
    last: arrays.last[place] ?? Number.NaN,
    better: arrays.better[place] === 1 ? "higher" : "lower",
  };
}

/** The place of the series with this key; -1 where there is none. */
export function placeOfKey({ facts, arrays }: SeriesColumns, key: string): number {
  return arrays.key.findIndex((text) => facts.texts[text] === key);
}

/** The metrics there are, in order. */
export function metricsOf({ facts, arrays }: SeriesColumns): string[] {
  return [...new Set(arrays.metric)].map((text) => facts.texts[text] ?? "").sort();
}

export interface SeriesFilter {
  /** Words that all have to stand in the key, in any case of letters. */
  readonly text: string;
  readonly word: string;
  readonly metric: string;
}

const lowered = new WeakMap<readonly string[], readonly string[]>();

/** Texts in small letters, made once: a search looks through all of them at each key that is pressed. */
function inSmallLetters(texts: readonly string[]): readonly string[] {
  const known = lowered.get(texts);
  if (known !== undefined) return known;
  const made = texts.map((text) => text.toLowerCase());
  lowered.set(texts, made);
  return made;
}

/** Places of the series that fit. */
export function fittingSeries({ facts, arrays }: SeriesColumns, filter: SeriesFilter): Int32Array {
  const small = inSmallLetters(facts.texts);
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const wanted = small.map(() => 0);
  // Each text is looked at once, not once for each series that has it.
  if (words.length > 0)
    small.forEach(
      (text, i) => (wanted[i] = words.reduce((bits, word, bit) => bits | (text.includes(word) ? 1 << bit : 0), 0)),
    );
  const all = 2 ** Math.min(words.length, 30) - 1;
  const word = facts.words.indexOf(filter.word as VerdictOutcome);
  const fitting: number[] = [];
  for (let place = 0; place < arrays.key.length; place++) {
    if (filter.word !== "" && arrays.word[place] !== word) continue;
    if (filter.metric !== "" && facts.texts[arrays.metric[place] ?? -1] !== filter.metric) continue;
    const hits =
      (wanted[arrays.key[place] ?? -1] ?? 0) |
      (wanted[arrays.benchmark[place] ?? -1] ?? 0) |
      (wanted[arrays.metric[place] ?? -1] ?? 0);
    if ((hits & all) === all) fitting.push(place);
  }
  return Int32Array.from(fitting);
}

export const seriesOrders = ["key", "metric", "delta", "last", "count"] as const;

export type SeriesOrder = (typeof seriesOrders)[number];

/** The places in this order; those without a number stand last. Changes are ordered by their size. */
export function orderedSeries(
  { facts, arrays }: SeriesColumns,
  places: Int32Array,
  order: SeriesOrder,
  down: boolean,
): Int32Array {
  const sign = down ? -1 : 1;
  if (order === "key" || order === "metric") {
    const text = (place: number): string => facts.texts[arrays[order][place] ?? -1] ?? "";
    const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
    return places.slice().sort((a, b) => sign * compare(text(a), text(b)) || a - b);
  }
  const column = arrays[order];
  const number = (place: number): number =>
    order === "delta" ? Math.abs(column[place] ?? Number.NaN) : (column[place] ?? Number.NaN);
  const last = (value: number): number => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value);
  return places.slice().sort((a, b) => compareNumbers(last(number(a)), last(number(b))) || a - b);
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The points of one series. */
export interface History {
  /** Places in the list of versions, -1 where it is not known. */
  readonly version: ArrayLike<number>;
  readonly center: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly n: ArrayLike<number>;
  /** Places of points at which a change was found. */
  readonly changes: readonly number[];
}

export function historyOf(columns: SeriesColumns, place: number, { arrays }: PointBlock): History {
  const from = columns.arrays.from[place] ?? 0;
  const to = from + (columns.arrays.count[place] ?? 0);
  const part = (name: keyof typeof arrays): FrameArray => arrays[name].subarray(from, to);
  const center = part("center");
  // A block of series with one value at each point says no more than that value.
  const isSingle = arrays.n.length === 0;
  return {
    version: part("version"),
    center,
    low: isSingle ? center : part("low"),
    high: isSingle ? center : part("high"),
    n: isSingle ? center.map(() => 1) : part("n"),
    changes: [...arrays.changes].filter((at) => at >= from && at < to).map((at) => at - from),
  };
}
