import type {
  MachineColumns,
  SeriesColumns,
  PointBlock,
  FrameArray,
  VersionColumns,
} from "../../src/core/pages/index.ts";
import { compareNaturally, sharedWords, type SharedWords } from "../../src/core/text/index.ts";
import type { VerdictOutcome } from "../../src/core/verdicts/index.ts";

/** A series as shown in lists. */
export interface SeriesLine {
  readonly index: number;
  readonly key: string;
  readonly benchmark: string;
  readonly metric: string;
  readonly unit: string;
  readonly word: VerdictOutcome;
  /** NaN: no change. */
  readonly delta: number;
  readonly count: number;
  readonly last: number;
  readonly better: "lower" | "higher";
}

export function seriesLine({ facts, arrays }: SeriesColumns, index: number): SeriesLine {
  const text = (column: "benchmark" | "metric" | "unit" | "key"): string =>
    facts.texts[arrays[column][index] ?? -1] ?? "";
  return {
    index,
    key: text("key"),
    benchmark: text("benchmark"),
    metric: text("metric"),
    unit: text("unit"),
    word: facts.words[arrays.word[index] ?? -1] ?? "inconclusive",
    delta: arrays.delta[index] ?? Number.NaN,
    count: arrays.count[index] ?? 0,
    last: arrays.last[index] ?? Number.NaN,
    better: arrays.better[index] === 1 ? "higher" : "lower",
  };
}

/** The index of the series with this key; -1 if there is none. */
export function indexOfKey({ facts, arrays }: SeriesColumns, key: string): number {
  return arrays.key.findIndex((text) => facts.texts[text] === key);
}

/** The words that the benchmarks of these series share, by index; default: of all. */
export function sharedBenchmarkWords({ facts, arrays }: SeriesColumns, series?: readonly number[]): SharedWords {
  const benchmarks = series === undefined ? arrays.benchmark : series.map((at) => arrays.benchmark[at] ?? -1);
  return sharedWords([...new Set(benchmarks)].map((text) => facts.texts[text] ?? ""));
}

/** All metrics, sorted. */
export function metricsOf({ facts, arrays }: SeriesColumns): string[] {
  return [...new Set(arrays.metric)].map((text) => facts.texts[text] ?? "").sort(compareNaturally);
}

export interface SeriesFilter {
  /** Words that must all occur in benchmark, metric or key, ignoring case. */
  readonly text: string;
  readonly word: string;
  readonly metric: string;
}

const lowerCaseCache = new WeakMap<readonly string[], readonly string[]>();

/** Texts in lower case, cached, because every keystroke of a search reads all of them. */
function toLowerCaseTexts(texts: readonly string[]): readonly string[] {
  const known = lowerCaseCache.get(texts);
  if (known !== undefined) return known;
  const lowerCase = texts.map((text) => text.toLowerCase());
  lowerCaseCache.set(texts, lowerCase);
  return lowerCase;
}

/** Indexes of the matching series. */
export function matchingSeries({ facts, arrays }: SeriesColumns, filter: SeriesFilter): Int32Array {
  const small = toLowerCaseTexts(facts.texts);
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const hitsOfText = small.map(() => 0);
  // Each text is searched once, not once for each series that has it.
  if (words.length > 0)
    small.forEach(
      (text, i) => (hitsOfText[i] = words.reduce((bits, word, bit) => bits | (text.includes(word) ? 1 << bit : 0), 0)),
    );
  const all = 2 ** Math.min(words.length, 30) - 1;
  const word = facts.words.indexOf(filter.word as VerdictOutcome);
  const matching: number[] = [];
  for (let index = 0; index < arrays.key.length; index++) {
    if (filter.word !== "" && arrays.word[index] !== word) continue;
    if (filter.metric !== "" && facts.texts[arrays.metric[index] ?? -1] !== filter.metric) continue;
    const hits =
      (hitsOfText[arrays.key[index] ?? -1] ?? 0) |
      (hitsOfText[arrays.benchmark[index] ?? -1] ?? 0) |
      (hitsOfText[arrays.metric[index] ?? -1] ?? 0);
    if ((hits & all) === all) matching.push(index);
  }
  return Int32Array.from(matching);
}

export const seriesOrders = ["key", "benchmark", "metric", "delta", "last", "count"] as const;

export type SeriesOrder = (typeof seriesOrders)[number];

const rankCache = new WeakMap<readonly string[], Int32Array>();

/** The position of each text in natural order, cached, because each click on a column sorts all series. */
function naturalRanks(texts: readonly string[]): Int32Array {
  const known = rankCache.get(texts);
  if (known !== undefined) return known;
  const order = texts.map((_, index) => index).sort((a, b) => compareNaturally(texts[a] ?? "", texts[b] ?? ""));
  const ranks = new Int32Array(texts.length);
  order.forEach((index, rank) => (ranks[index] = rank));
  rankCache.set(texts, ranks);
  return ranks;
}

/** The indexes in this order; those without a number come last. Changes are sorted by magnitude. */
export function sortedSeries(
  { facts, arrays }: SeriesColumns,
  indexes: Int32Array,
  order: SeriesOrder,
  down: boolean,
): Int32Array {
  const sign = down ? -1 : 1;
  if (order === "key" || order === "benchmark" || order === "metric") {
    const ranks = naturalRanks(facts.texts);
    const rank = (index: number): number => ranks[arrays[order][index] ?? -1] ?? -1;
    return indexes.slice().sort((a, b) => sign * (rank(a) - rank(b)) || a - b);
  }
  const column = arrays[order];
  const number = (index: number): number =>
    order === "delta" ? Math.abs(column[index] ?? Number.NaN) : (column[index] ?? Number.NaN);
  const last = (value: number): number => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value);
  return indexes.slice().sort((a, b) => compareNumbers(last(number(a)), last(number(b))) || a - b);
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The points of one series. */
export interface History {
  /** Indexes of commits, -1 if unknown. */
  readonly version: ArrayLike<number>;
  readonly center: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly n: ArrayLike<number>;
  /** Indexes of the change points. */
  readonly changes: readonly number[];
}

export function historyOf(columns: SeriesColumns, index: number, { arrays }: PointBlock): History {
  const from = columns.arrays.from[index] ?? 0;
  const to = from + (columns.arrays.count[index] ?? 0);
  const part = (name: keyof typeof arrays): FrameArray => arrays[name].subarray(from, to);
  const center = part("center");
  // A block whose points all have one value stores that value only.
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

/** What one machine measured of a series. */
export function machineHistory({ arrays }: MachineColumns, series: number, machine: number): History {
  const rows: number[] = [];
  for (let row = arrays.series.indexOf(series); row >= 0 && arrays.series[row] === series; row++)
    if (arrays.machine[row] === machine) rows.push(row);
  const part = (name: "version" | "center" | "low" | "high" | "n"): Float64Array =>
    Float64Array.from(rows, (row) => arrays[name][row] ?? Number.NaN);
  return {
    version: part("version"),
    center: part("center"),
    low: part("low"),
    high: part("high"),
    n: part("n"),
    changes: [],
  };
}

/** The first points at or after each release tag. */
export function releaseMarks(
  { version }: Pick<History, "version">,
  { facts }: VersionColumns,
): { readonly point: number; readonly name: string }[] {
  return facts.tags.flatMap(([commit, name]) => {
    const point = Array.from(version).findIndex((at) => at >= commit);
    return point < 0 ? [] : [{ point, name }];
  });
}
