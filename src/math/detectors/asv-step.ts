import { goldenSection } from "../numerics/minimize.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";

/**
 * Of pieces of a series: the median, and the sum of distances from it. Those of the shortest pieces are made together
 * when this is made, the others when they are asked for, and kept.
 */
export class MedianCosts {
  readonly #values: Float64Array;
  readonly #reach: number;
  /** Cost of the piece of k + 1 values that ends with value i, at i * reach + k. */
  readonly #short: Float64Array;
  readonly #kept = new Map<number, Piece>();

  /** `reach`: how many values the shortest pieces have at most. */
  constructor(values: Float64Array, reach: number) {
    this.#values = values;
    this.#reach = reach;
    this.#short = shortCosts(values, reach);
  }

  /** The sum of distances of values[from, to) from their median. */
  cost(from: number, to: number): number {
    const length = to - from;
    if (length <= this.#reach) return this.#short[(to - 1) * this.#reach + length - 1] as number;
    return this.#piece(from, to).cost;
  }

  median(from: number, to: number): number {
    return this.#piece(from, to).median;
  }

  #piece(from: number, to: number): Piece {
    const key = from * (this.#values.length + 1) + to;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const made = pieceOf(this.#values.slice(from, to).sort());
    this.#kept.set(key, made);
    return made;
  }
}

interface Piece {
  readonly median: number;
  readonly cost: number;
}

function pieceOf(sorted: Float64Array): Piece {
  const median = middleOf(sorted, sorted.length);
  let cost = 0;
  for (const value of sorted) cost += Math.abs(value - median);
  return { median, cost };
}

function middleOf(sorted: Float64Array, length: number): number {
  const half = length >> 1;
  return length % 2 === 1 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

/** Goes back from every value, keeping those passed in order. */
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

/** The values above the median less those below it. */
function costOf(sorted: Float64Array, length: number): number {
  let cost = 0;
  for (let i = 0; i < length >> 1; i++) cost += (sorted[length - 1 - i] as number) - (sorted[i] as number);
  return cost;
}

/** Pieces of the first split are no longer than this; longer ones come of merging. */
const reach = 20;

/**
 * Steps as airspeed velocity (asv, step_detect.py) finds them: pieces with medians at the least sum of distances and a
 * price for each jump (Friedrich et al., "Complexity Penalized M-Estimation", 2008), split in short pieces that are
 * then merged; the price is the one with the best information criterion for noise that hangs together with the value
 * before. The search for the price may miss the best where there are many steps; so does asv's. Values are finite.
 */
export function asvStep(values: Float64Array): LevelChange[] {
  if (values.length < 2) return [];
  return levelChanges(values, bestSplit(values).slice(0, -1));
}

/** Ends of the pieces. */
function bestSplit(values: Float64Array): readonly number[] {
  const n = values.length;
  const costs = new MedianCosts(values, reach);
  const scale = costs.cost(0, n) || 1;
  let [best, least]: [readonly number[], number] = [[n], Infinity];
  const tryPrice = (logarithm: number): number => {
    const ends = splitAt(n, costs, scale * Math.exp(logarithm));
    const found = criterion(values, ends, costs);
    if (found < least) [best, least] = [ends, found];
    return found;
  };
  const cheapest = Math.log(0.1 / n);
  goldenSection(tryPrice, cheapest, 0, Math.abs(cheapest) * 0.1, 0);
  return best;
}

/** 4 ln n / n for each piece, and the logarithm of what is left when each value is foretold from the one before it. */
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
  let piece = 0;
  return values.map((value, i) => {
    if (i >= (ends[piece] as number)) piece += 1;
    return value - (levels[piece] as number);
  });
}

/** Without it a perfect fit, a piece for each value, would be the best. */
function noiseFloor(levels: readonly number[]): number {
  const sizes =
    levels.length > 2
      ? levels.slice(1).map((level, i) => 0.1 * Math.abs(level - (levels[i] as number)))
      : levels.map((level) => 0.001 * Math.abs(level));
  return Math.max(1e-300, Math.min(...sizes));
}

/** Ends of the pieces at a price for each jump. */
function splitAt(n: number, costs: MedianCosts, price: number): number[] {
  const ends = shortSplit(n, costs, price);
  merge(ends, costs, price);
  shift(ends, costs);
  return ends;
}

/** The best of all splits into pieces of at most `reach` values, by Bellman's recursion. */
function shortSplit(n: number, costs: MedianCosts, price: number): number[] {
  const best = new Float64Array(n + 1).fill(Infinity);
  const from = new Int32Array(n + 1);
  best[0] = -price;
  for (let end = 1; end <= n; end++) {
    for (let start = Math.max(0, end - reach); start < end; start++) {
      const cost = (best[start] as number) + price + costs.cost(start, end);
      if (cost <= (best[end] as number)) [best[end], from[end]] = [cost, start];
    }
  }
  const ends: number[] = [];
  for (let end = n; end > 0; end = from[end] as number) ends.push(end);
  return ends.reverse();
}

/** Joins neighbours while that saves more than a jump costs: the first one that no later one within reach beats. */
function merge(ends: number[], costs: MedianCosts, price: number): void {
  for (let found = firstMerge(ends, costs, price); found !== -1; found = firstMerge(ends, costs, price))
    ends.splice(found, 1);
}

function firstMerge(ends: readonly number[], costs: MedianCosts, price: number): number {
  let [least, found] = [0, -1];
  for (let at = 1; at < ends.length && (found === -1 || found >= at - 2); at++) {
    const [start, middle, end] = [ends[at - 2] ?? 0, ends[at - 1] as number, ends[at] as number];
    const change = costs.cost(start, end) - (costs.cost(start, middle) + costs.cost(middle, end) + price);
    if (change <= least) [least, found] = [change, at - 1];
  }
  return found;
}

/** Short pieces may have put a jump in the wrong place: each goes where it is cheapest, up to `reach` away. */
function shift(ends: number[], costs: MedianCosts): void {
  for (let at = 1; at < ends.length; at++) {
    const [start, middle, end] = [ends[at - 2] ?? 0, ends[at - 1] as number, ends[at] as number];
    let least = costs.cost(start, middle) + costs.cost(middle, end);
    for (let place = Math.max(start + 1, middle - reach); place <= Math.min(end - 1, middle + reach); place++) {
      const cost = costs.cost(start, place) + costs.cost(place, end);
      if (cost < least) [least, ends[at - 1]] = [cost, place];
    }
  }
}
