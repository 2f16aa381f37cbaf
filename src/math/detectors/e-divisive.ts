import { studentTail } from "../distributions/index.ts";
import type { LevelChange } from "./level-change.ts";

/** Options with the names and defaults of Apache Otava's command line. */
export interface EDivisiveOptions {
  /** Length of the windows that are split separately. */
  readonly window: number;
  /** Maximum p of a change. */
  readonly maxP: number;
  /** Minimum size of a change, relative to the smaller level. */
  readonly minMagnitude: number;
}

export const eDivisiveDefaults: EDivisiveOptions = { window: 50, maxP: 0.001, minMagnitude: 0 };

/** How sides are compared, and which statistics are updated after a removal. */
interface Rules {
  /** Subtracted from the length of a side to divide its sum of squares. */
  readonly lost: 0 | 1;
  /** Offsets of the neighbours of a removed change in the shortened list. */
  readonly neighbours: readonly number[];
}

/** E-divisive with Student's test: sample variances, and both neighbours of a removed change. */
const corrected: Rules = { lost: 1, neighbours: [-1, 0] };

/** Otava 1ceb153 uses population variances, and neighbours with an off-by-one error. */
const otava: Rules = { lost: 0, neighbours: [0, 1] };

/**
 * Changes of level by E-divisive in windows, tested by Student's t and merged, the weakest first: Fleming et al.,
 * "Hunter: Using Change Point Detection to Hunt for Performance Regressions" (ICPE 2023). Values are finite.
 */
export function eDivisive(values: Float64Array, options: EDivisiveOptions): LevelChange[] {
  return merged(values, weakCandidates(values, options, corrected), options, corrected);
}

/** Like Apache Otava 1ceb153, including its defects. */
export function eDivisiveOtava(values: Float64Array, options: EDivisiveOptions): LevelChange[] {
  return merged(values, weakCandidates(values, options, otava), options, otava);
}

/** Candidates with a looser threshold: each can only be tested together with all others. */
function weakCandidates(values: Float64Array, { window, maxP }: EDivisiveOptions, rules: Rules): number[] {
  const loose = maxP < 0.05 ? maxP * 10 : maxP < 0.5 ? maxP * 2 : maxP;
  const found = new Set<number>();
  const step = Math.floor(window / 2);
  for (let start = 0; start < values.length;) {
    const positions = candidatesIn(values, start, Math.min(start + window, values.length), loose, rules);
    for (const position of positions) found.add(position);
    start = Math.max(positions.at(-1) ?? 0, start + step);
  }
  return [...found].sort((a, b) => a - b);
}

/** Splits [from, to) recursively at the greatest Q, until that is not significant. */
function candidatesIn(values: Float64Array, from: number, to: number, maxP: number, rules: Rules): number[] {
  const bounds = [from, to];
  const splits: EnergySplit[] = [energySplit(values, from, to)];
  for (;;) {
    const at = splits.reduce(
      (best, { distance }, i) => (distance > (splits[best] as EnergySplit).distance ? i : best),
      0,
    );
    const { at: position, distance } = splits[at] as EnergySplit;
    const [left, right] = [bounds[at] as number, bounds[at + 1] as number];
    if (distance === Number.NEGATIVE_INFINITY || !(difference(values, left, position, right, rules).p <= maxP)) break;
    bounds.splice(at + 1, 0, position);
    splits.splice(at, 1, energySplit(values, left, position), energySplit(values, position, right));
  }
  return bounds.slice(1, -1);
}

interface TestedChange extends LevelChange {
  readonly p: number;
}

function merged(
  values: Float64Array,
  weak: readonly number[],
  { maxP, minMagnitude }: EDivisiveOptions,
  rules: Rules,
): LevelChange[] {
  const positions = [...weak];
  const judge = (at: number): TestedChange =>
    difference(values, positions[at - 1] ?? 0, positions[at] as number, positions[at + 1] ?? values.length, rules);
  const changes = positions.map((_, at) => judge(at));
  while (changes.length > 0) {
    let at = indexOfGreatest(changes, ({ p }) => p);
    if ((changes[at] as TestedChange).p < maxP) {
      at = indexOfGreatest(changes, (change) => -magnitudeOf(change));
      if (magnitudeOf(changes[at] as TestedChange) > minMagnitude) break;
    }
    positions.splice(at, 1);
    changes.splice(at, 1);
    for (const offset of rules.neighbours) if (changes[at + offset]) changes[at + offset] = judge(at + offset);
  }
  return changes;
}

function indexOfGreatest(changes: readonly TestedChange[], of: (change: TestedChange) => number): number {
  return changes.reduce((best, change, at) => (of(change) > of(changes[best] as TestedChange) ? at : best), 0);
}

/** The greater of the relative changes forward and backward; a change from 0 counts as 0. */
function magnitudeOf({ before, after }: LevelChange): number {
  const relative = (from: number, to: number): number => (from === 0 ? 0 : Math.abs(to / from - 1));
  return Math.max(relative(before, after), relative(after, before));
}

/**
 * The change at `position` between [from, position) and [position, to), with the two-sided p of Student's t-test with
 * pooled variance.
 */
function difference(values: Float64Array, from: number, position: number, to: number, { lost }: Rules): TestedChange {
  const [left, right] = [momentsOf(values, from, position), momentsOf(values, position, to)];
  const [n, m] = [position - from, to - position];
  const freedom = n + m - 2;
  const spread = ({ squares, count }: SideMoments): number =>
    count < 2 ? 0 : (squares / (count - lost)) * (count - 1);
  const pooled = (spread(left) + spread(right)) / freedom;
  const t = Math.abs(left.mean - right.mean) / Math.sqrt(pooled * (1 / n + 1 / m));
  const p = freedom > 0 && !Number.isNaN(t) ? Math.min(1, 2 * studentTail(t, freedom)) : 1;
  return { index: position, before: left.mean, after: right.mean, p };
}

interface SideMoments {
  readonly count: number;
  readonly mean: number;
  /** Sum of squared deviations from the mean. */
  readonly squares: number;
}

function momentsOf(values: Float64Array, from: number, to: number): SideMoments {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i] as number;
  const mean = sum / (to - from);
  let squares = 0;
  for (let i = from; i < to; i++) squares += ((values[i] as number) - mean) ** 2;
  return { count: to - from, mean, squares };
}

/** The best split of a segment. */
interface EnergySplit {
  /** First value of the right side. */
  readonly at: number;
  /** Q of the two sides; -Infinity if there is nothing to split. */
  readonly distance: number;
}

/**
 * The split of values[from, to) whose sides differ most by the energy distance Q of Matteson and James, "A
 * Nonparametric Approach for Multiple Change Point Analysis" (2014), equation 7 with exponent 1: left side [from, at),
 * right side [at, end), over all `at` and all `end`, because a later change could hide an earlier one. Ties: the
 * leftmost, then the shortest right side. Quadratic time, linear memory.
 */
export function energySplit(values: Float64Array, from: number, to: number): EnergySplit {
  const length = to - from;
  if (length < 2) return { at: from, distance: Number.NEGATIVE_INFINITY };
  const piece = values.subarray(from, to);
  const within = withinSums(piece);
  const right = new Float64Array(length + 1);
  let best: EnergySplit = { at: from, distance: Number.NEGATIVE_INFINITY };
  for (let at = length - 1; at > 0; at--) {
    extendLeft(piece, right, at);
    const found = bestEnd(within, right, at, length);
    if (found >= best.distance) best = { at: from + at, distance: found };
  }
  return best;
}

/** By i: the sum of the distances of all pairs of the first i values. */
function withinSums(piece: Float64Array): Float64Array {
  const sums = new Float64Array(piece.length + 1);
  for (let i = 0; i < piece.length; i++) {
    const value = piece[i] as number;
    let sum = 0;
    for (let j = 0; j < i; j++) sum += Math.abs(value - (piece[j] as number));
    sums[i + 1] = (sums[i] as number) + sum;
  }
  return sums;
}

/** Updates `right[end]`, the sum of the distances within [at + 1, end), to [at, end). */
function extendLeft(piece: Float64Array, right: Float64Array, at: number): void {
  const value = piece[at] as number;
  let sum = 0;
  for (let end = at + 2; end <= piece.length; end++) {
    sum += Math.abs(value - (piece[end - 1] as number));
    right[end] = (right[end] as number) + sum;
  }
}

function bestEnd(within: Float64Array, right: Float64Array, n: number, length: number): number {
  const left = within[n] as number;
  let best = Number.NEGATIVE_INFINITY;
  for (let end = n + 1; end <= length; end++) {
    const m = end - n;
    const between = (within[end] as number) - left - (right[end] as number);
    const inLeft = n === 1 ? 0 : (m * left) / (n - 1);
    const inRight = m === 1 ? 0 : (n * (right[end] as number)) / (m - 1);
    best = Math.max(best, (2 / end) * (between - inLeft - inRight));
  }
  return best;
}
