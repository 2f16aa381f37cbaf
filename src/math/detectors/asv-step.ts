import { goldenSection } from "../numerics/index.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";

/**
 * Medians of segments of a series, and the sums of distances from them. Short segments are computed in the constructor,
 * others lazily, and cached.
 */
export class MedianCosts {
  readonly #values: Float64Array;
  readonly #reach: number;
  /** Cost of the segment of k + 1 values that ends with value i, at i * reach + k. */
  readonly #short: Float64Array;
  readonly #cache = new Map<number, Segment>();

  /** `reach`: maximum length of short segments. */
  constructor(values: Float64Array, reach: number) {
    this.#values = values;
    this.#reach = reach;
    this.#short = shortCosts(values, reach);
  }

  /** The sum of distances of values[from, to) from their median. */
  cost(from: number, to: number): number {
    const length = to - from;
    if (length <= this.#reach) return this.#short[(to - 1) * this.#reach + length - 1] as number;
    return this.#segment(from, to).cost;
  }

  median(from: number, to: number): number {
    return this.#segment(from, to).median;
  }

  #segment(from: number, to: number): Segment {
    const key = from * (this.#values.length + 1) + to;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const made = segmentOf(this.#values.slice(from, to).sort());
    this.#cache.set(key, made);
    return made;
  }
}

interface Segment {
  readonly median: number;
  readonly cost: number;
}

function segmentOf(sorted: Float64Array): Segment {
  const median = medianOfSorted(sorted, sorted.length);
  let cost = 0;
  for (const value of sorted) cost += Math.abs(value - median);
  return { median, cost };
}

function medianOfSorted(sorted: Float64Array, length: number): number {
  const half = length >> 1;
  return length % 2 === 1 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

/** Extends segments backwards from every value, by insertion into a sorted array. */
function shortCosts(values: Float64Array, reach: number): Float64Array {
  const costs = new Float64Array(values.length * reach);
  const sorted = new Float64Array(reach);
  for (let end = 0; end < values.length; end++) {
    for (let length = 1; length <= Math.min(reach, end + 1); length++) {
      insert(sorted, length - 1, values[end - length + 1] as number);
      costs[end * reach + length - 1] = costOf(sorted, length);
    }
  }
  return costs;
}

function insert(sorted: Float64Array, length: number, value: number): void {
  let at = length;
  for (; at > 0 && (sorted[at - 1] as number) > value; at--) sorted[at] = sorted[at - 1] as number;
  sorted[at] = value;
}

/** The sum of the values above the median minus those below it. */
function costOf(sorted: Float64Array, length: number): number {
  let cost = 0;
  for (let i = 0; i < length >> 1; i++) cost += (sorted[length - 1 - i] as number) - (sorted[i] as number);
  return cost;
}

/** Maximum length of segments before merging. */
const reach = 20;

/**
 * The step detection of airspeed velocity (asv, step_detect.py): segments with the least sum of distances from their
 * medians plus a penalty per step (Friedrich et al., "Complexity Penalized M-Estimation", 2008), split into short
 * segments that are then merged. The penalty has the best information criterion for autocorrelated noise. Like asv's,
 * the search for it may miss the optimum if there are many steps. Values are finite.
 */
export function asvStep(values: Float64Array): LevelChange[] {
  if (values.length < 2) return [];
  return levelChanges(values, bestSplit(values).slice(0, -1));
}

/** Ends of the segments. */
function bestSplit(values: Float64Array): readonly number[] {
  const n = values.length;
  const costs = new MedianCosts(values, reach);
  const scale = costs.cost(0, n) || 1;
  let [best, least]: [readonly number[], number] = [[n], Infinity];
  const tryPenalty = (logarithm: number): number => {
    const ends = splitAt(n, costs, scale * Math.exp(logarithm));
    const found = criterion(values, ends, costs);
    if (found < least) [best, least] = [ends, found];
    return found;
  };
  const cheapest = Math.log(0.1 / n);
  goldenSection(tryPenalty, cheapest, 0, Math.abs(cheapest) * 0.1, 0);
  return best;
}

/** 4 ln n / n per segment, plus the logarithm of the residuals of a first-order autoregression. */
function criterion(values: Float64Array, ends: readonly number[], costs: MedianCosts): number {
  const n = values.length;
  const levels = ends.map((end, at) => costs.median(ends[at - 1] ?? 0, end));
  const rest = deviations(values, ends, levels);
  const left = (share: number): number => {
    let sum = Math.abs(rest[0] as number);
    for (let i = 1; i < n; i++) sum += Math.abs((rest[i] as number) - share * (rest[i - 1] as number));
    return sum;
  };
  const share = goldenSection(left, -1, 1, 0.05, 1e-8);
  return ((4 * Math.log(n)) / n) * ends.length + Math.log(noiseFloor(levels) + left(share));
}

function deviations(values: Float64Array, ends: readonly number[], levels: readonly number[]): Float64Array {
  let segment = 0;
  return values.map((value, i) => {
    if (i >= (ends[segment] as number)) segment += 1;
    return value - (levels[segment] as number);
  });
}

/** Without it a perfect fit, one segment per value, would be the best. */
function noiseFloor(levels: readonly number[]): number {
  const sizes =
    levels.length > 2
      ? levels.slice(1).map((level, i) => 0.1 * Math.abs(level - (levels[i] as number)))
      : levels.map((level) => 0.001 * Math.abs(level));
  return Math.max(1e-300, Math.min(...sizes));
}

/** Ends of the segments for a penalty per step. */
function splitAt(n: number, costs: MedianCosts, penalty: number): number[] {
  const ends = shortSplit(n, costs, penalty);
  merge(ends, costs, penalty);
  shift(ends, costs);
  return ends;
}

/** The best split into segments of at most `reach` values, by dynamic programming. */
function shortSplit(n: number, costs: MedianCosts, penalty: number): number[] {
  const best = new Float64Array(n + 1).fill(Infinity);
  const from = new Int32Array(n + 1);
  best[0] = -penalty;
  for (let end = 1; end <= n; end++) {
    for (let start = Math.max(0, end - reach); start < end; start++) {
      const cost = (best[start] as number) + penalty + costs.cost(start, end);
      if (cost <= (best[end] as number)) [best[end], from[end]] = [cost, start];
    }
  }
  const ends: number[] = [];
  for (let end = n; end > 0; end = from[end] as number) ends.push(end);
  return ends.reverse();
}

/** Merges neighbours while that saves more than the penalty, the first one that no later one within reach beats. */
function merge(ends: number[], costs: MedianCosts, penalty: number): void {
  for (let found = firstMerge(ends, costs, penalty); found !== -1; found = firstMerge(ends, costs, penalty))
    ends.splice(found, 1);
}

function firstMerge(ends: readonly number[], costs: MedianCosts, penalty: number): number {
  let [least, found] = [0, -1];
  for (let at = 1; at < ends.length && (found === -1 || found >= at - 2); at++) {
    const [start, middle, end] = [ends[at - 2] ?? 0, ends[at - 1] as number, ends[at] as number];
    const change = costs.cost(start, end) - (costs.cost(start, middle) + costs.cost(middle, end) + penalty);
    if (change <= least) [least, found] = [change, at - 1];
  }
  return found;
}

/** Moves each step to the cheapest position at most `reach` away, since short segments may have shifted it. */
function shift(ends: number[], costs: MedianCosts): void {
  for (let at = 1; at < ends.length; at++) {
    const [start, middle, end] = [ends[at - 2] ?? 0, ends[at - 1] as number, ends[at] as number];
    let least = costs.cost(start, middle) + costs.cost(middle, end);
    for (
      let position = Math.max(start + 1, middle - reach);
      position <= Math.min(end - 1, middle + reach);
      position++
    ) {
      const cost = costs.cost(start, position) + costs.cost(position, end);
      if (cost < least) [least, ends[at - 1]] = [cost, position];
    }
  }
}
