import { metricRank } from "../../core/measurements/index.ts";
import type { ChangeColumns, SeriesColumns, StateLevels } from "../../core/pages/index.ts";
import { compareNaturally } from "../../core/text/index.ts";
import { groupBy } from "../../core/values/index.ts";
import { percentText, type VerdictOutcome } from "../../core/verdicts/index.ts";
import { falseDiscovery } from "../../math/hypothesis-tests/index.ts";

/** A series at two commits. */
export interface ComparedSeries {
  /** Index into the list of all series. */
  readonly series: number;
  /** Medians; NaN: not measured. */
  readonly before: number;
  readonly after: number;
  /** after / before - 1; NaN if a side is missing or before is 0. */
  readonly delta: number;
  /** The share of `before` by which two points of one level differ at most, in 95 %; NaN: unknown. */
  readonly noise: number;
  readonly outcome: VerdictOutcome;
  /** Why it is inconclusive, or what qualifies the outcome; empty: nothing. */
  readonly reason: string;
  /** The change between the two commits that contributes most, by index into the list of changes; -1: none. */
  readonly cause: number;
  /** Whether it has the metric of its benchmark that is read first (`metricRank`). */
  readonly isPrimary: boolean;
}

/** Greatest false discovery rate of a difference without a history. */
const alpha = 0.05;

/** Noise up to this share does not hide a change that matters: the default margin of `perfkeep compare`. */
const smallNoise = 0.05;

/**
 * Compares all series at two commits or on two machines, in the order of the series. A difference counts if a change
 * was detected between the two measured commits and their values differ by more than the noise. Series with too few
 * points for that are judged by their values: a difference counts if all values of one side are above all of the other,
 * which has the exact rank-sum probability 2 / C(n1 + n2, n1), below a false discovery rate of 5 % among all such
 * series.
 */
export function compareStates(series: SeriesColumns, changes: ChangeColumns, levels: StateLevels): ComparedSeries[] {
  const causes = causesOf(changes, levels);
  const primary = primarySeries(series);
  const rates = separationRates(levels);
  return Array.from(series.arrays.key, (_, at) => {
    const { before, after, noise } = levels.arrays;
    const [old, now] = [before[at] as number, after[at] as number];
    const cause = causes.get(at) ?? -1;
    const delta = old === now ? 0 : old === 0 ? Number.NaN : now / old - 1;
    const judged = judge(series, levels, at, { cause, rate: rates.get(at) ?? 1 });
    const share = old === 0 ? Number.NaN : (noise[at] as number) / Math.abs(old);
    return { series: at, before: old, after: now, delta, noise: share, cause, isPrimary: primary.has(at), ...judged };
  });
}

interface Evidence {
  readonly cause: number;
  readonly rate: number;
}

type Judged = Pick<ComparedSeries, "outcome" | "reason">;

const unclear = (reason: string): Judged => ({ outcome: "inconclusive", reason });

function judge(series: SeriesColumns, levels: StateLevels, at: number, { cause, rate }: Evidence): Judged {
  const { beforeAt, afterAt, before, after, noise: noises } = levels.arrays;
  if ((beforeAt[at] as number) < 0) return unclear("not measured before");
  if ((afterAt[at] as number) < 0) return unclear("not measured after");
  if (levels.facts.from !== levels.facts.to && beforeAt[at] === afterAt[at]) return unclear("not measured in between");
  const [difference, noise] = [(after[at] as number) - (before[at] as number), noises[at] as number];
  const isGood = difference > 0 === (series.arrays.better[at] === 1);
  const changed = (reason: string): Judged => ({ outcome: isGood ? "better" : "worse", reason });
  if (areAllEqual(levels, at)) return { outcome: "same", reason: cause >= 0 ? "its changes cancel out" : "" };
  const isWithin = Math.abs(difference) <= noise;
  if (cause >= 0 && !isWithin) return difference === 0 ? unclear("too few points") : changed("");
  if (cause >= 0) return { outcome: "same", reason: "its changes are within the noise or cancel out" };
  if (Number.isNaN(noise)) return rate <= alpha ? changed("all values differ") : unclear(overlapReason(levels, at));
  if (!isWithin) return unclear("more than the noise, but no change of level was found");
  const isPrecise = noise <= smallNoise * Math.abs(before[at] as number);
  const isSame = isPrecise || series.facts.words[series.arrays.word[at] as number] === "same";
  return isSame ? { outcome: "same", reason: "" } : unclear("the noise hides small changes");
}

/** Whether all values of both sides are the same, and one side has several. */
function areAllEqual({ arrays }: StateLevels, at: number): boolean {
  const ends = [arrays.beforeLow, arrays.beforeHigh, arrays.afterLow, arrays.afterHigh].map((ends) => ends[at]);
  return ends.every((end) => end === ends[0]) && (arrays.beforeN[at] as number) + (arrays.afterN[at] as number) > 2;
}

/** Fewest values of a side, of both of which none overlap, that can differ significantly by themselves. */
const fewestValues = 4;

function overlapReason({ facts, arrays }: StateLevels, at: number): string {
  const isEnough = Math.min(arrays.beforeN[at] as number, arrays.afterN[at] as number) >= fewestValues;
  return facts.from < 0 && isEnough ? "the values of the machines overlap" : "too few values";
}

/** The greatest change of each series between the commits of its two values. */
function causesOf({ facts, arrays }: ChangeColumns, levels: StateLevels): Map<number, number> {
  const { beforeAt, afterAt } = levels.arrays;
  const causes = new Map<number, number>();
  arrays.series.forEach((series, at) => {
    const word = facts.words[arrays.word[at] as number];
    const [from, to] = [beforeAt[series] as number, afterAt[series] as number];
    const commit = arrays.after[at] as number;
    if ((word !== "worse" && word !== "better") || from < 0 || to < 0) return;
    if (commit <= Math.min(from, to) || commit > Math.max(from, to)) return;
    const known = causes.get(series);
    const sizeOf = (change: number): number => Math.abs(arrays.delta[change] as number) || 0;
    if (known === undefined || sizeOf(at) > sizeOf(known)) causes.set(series, at);
  });
  return causes;
}

/** False discovery rates of series whose values do not overlap, among all with values on both sides. */
function separationRates({ facts, arrays }: StateLevels): Map<number, number> {
  const tested: number[] = [];
  const p: number[] = [];
  arrays.noise.forEach((noise, at) => {
    const [n1, n2] = [arrays.beforeN[at] as number, arrays.afterN[at] as number];
    if (!Number.isNaN(noise) || n1 < 1 || n2 < 1) return;
    if (facts.from !== facts.to && arrays.beforeAt[at] === arrays.afterAt[at]) return;
    const isApart =
      (arrays.beforeHigh[at] as number) < (arrays.afterLow[at] as number) ||
      (arrays.afterHigh[at] as number) < (arrays.beforeLow[at] as number);
    tested.push(at);
    p.push(isApart ? separationProbability(n1, n2) : 1);
  });
  const rates = falseDiscovery(Float64Array.from(p));
  return new Map(tested.map((at, index) => [at, rates[index] as number]));
}

/** 2 / C(n1 + n2, n1), at most 1. */
function separationProbability(n1: number, n2: number): number {
  let p = 2;
  for (let i = 1; i <= Math.min(n1, n2); i++) p *= i / (Math.max(n1, n2) + i);
  return Math.min(1, p);
}

/** The first series of the metric that is read first, for each benchmark. */
function primarySeries({ facts, arrays }: SeriesColumns): ReadonlySet<number> {
  const primary = new Map<string, { readonly at: number; readonly rank: number }>();
  arrays.benchmark.forEach((benchmark, at) => {
    const key = `${arrays.source[at]} ${benchmark}`;
    const [metric, unit] = [arrays.metric[at], arrays.unit[at]].map((text) => facts.texts[text ?? -1] ?? "");
    const rank = metricRank(metric ?? "", unit ?? "");
    const known = primary.get(key);
    if (known === undefined || rank < known.rank) primary.set(key, { at, rank });
  });
  return new Set([...primary.values()].map(({ at }) => at));
}

/** `3 worse, 2 better; startup +11 %`: the counts, and the greatest change for the worse, else for the better. */
export function comparisonSentence(rows: readonly ComparedSeries[], { facts, arrays }: SeriesColumns): string {
  const count = (word: VerdictOutcome): number => rows.filter(({ outcome }) => outcome === word).length;
  const counts = [
    ...(["worse", "better"] as const).map((word) => [count(word), word]),
    [count("same"), "the same"],
    [count("inconclusive"), "inconclusive"],
  ];
  const words = counts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
  const [most] = sortComparison(rows, "change", false).filter(({ outcome }) => /worse|better/.test(outcome));
  if (most === undefined) return words.length === 0 ? "nothing was measured" : words.join(", ");
  const text = (index: number | undefined): string => facts.texts[index ?? -1] ?? "";
  const name = `${text(arrays.benchmark[most.series])} ${text(arrays.metric[most.series])}`;
  return `${words.join(", ")}; ${name} ${percentText(most.delta)}`;
}

const ranks: Readonly<Record<VerdictOutcome, number>> = { worse: 0, better: 1, inconclusive: 2, same: 3 };

/** Worse rows first, then better, inconclusive and equal ones; of these, the greatest change first. */
export function sortComparison(
  rows: readonly ComparedSeries[],
  order: "change" | "noise",
  isReverse: boolean,
): ComparedSeries[] {
  const sizeOf = ({ delta, noise }: ComparedSeries): number => {
    const size = order === "noise" ? noise : Math.abs(delta);
    return Number.isNaN(size) ? -1 : size;
  };
  const sign = isReverse ? -1 : 1;
  const rankOf = ({ outcome }: ComparedSeries): number => (order === "change" ? ranks[outcome] : 0);
  return rows.toSorted((a, b) => sign * (rankOf(a) - rankOf(b) || sizeOf(b) - sizeOf(a)) || a.series - b.series);
}

/** How rows are grouped. */
export type ComparisonGrouping = "cause" | "benchmark" | "metric";

/** Rows with a common heading. */
export interface ComparisonGroup {
  /** Index of the commit that caused the changes, -1: none; absent for other groupings. */
  readonly commit?: number;
  /** Benchmark or metric. */
  readonly name: string;
  readonly rows: readonly ComparedSeries[];
}

/** The groups in the order of their first rows; benchmarks and metrics in natural order. */
export function groupComparison(
  rows: readonly ComparedSeries[],
  by: ComparisonGrouping,
  { facts, arrays }: SeriesColumns,
  changes: ChangeColumns,
): ComparisonGroup[] {
  const keyOf = (row: ComparedSeries): number =>
    by === "cause" ? causeCommit(row, changes) : (arrays[by][row.series] as number);
  const all = [...groupBy(rows, keyOf)];
  if (by !== "cause")
    return all
      .map(([text, own]) => ({ name: facts.texts[text] ?? "", rows: own }))
      .sort((a, b) => compareNaturally(a.name, b.name));
  const isUnknown = ([commit]: (typeof all)[number]): number => Number(commit < 0);
  return all.sort((a, b) => isUnknown(a) - isUnknown(b)).map(([commit, own]) => ({ commit, name: "", rows: own }));
}

/** Index of the commit that caused the difference; -1: none, or it is within the noise. */
export function causeCommit({ cause, outcome }: ComparedSeries, { arrays }: ChangeColumns): number {
  return outcome === "same" ? -1 : (arrays.after[cause] ?? -1);
}
