import type { FrameArray, PointBlock, SeriesColumns, StateLevels } from "../../core/pages/index.ts";
import { medianInPlace } from "../../math/descriptive/index.ts";

/** Fewest differences of neighbouring points that show the noise, and the most that are read. */
const [fewestSteps, mostSteps] = [5, 256];

/** Standard deviations of a normal distribution that 5 % exceed, per median of absolute values. */
const noisePerMedian = 1.96 * 1.4826;

/** The levels of all series at one commit. */
interface SideLevels {
  /** Index of the commit that they were measured at; -1: none. */
  readonly at: Int32Array;
  readonly center: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Number of values. */
  readonly n: Int32Array;
}

/**
 * The noise of series for further comparisons. That of a series of few points is the same for any two commits, since
 * all of its points are read.
 */
export class KnownNoise {
  /** -1: unknown. */
  readonly #bySeries: Float64Array;

  /** `count`: number of series. */
  constructor(count: number) {
    this.#bySeries = new Float64Array(count).fill(-1);
  }

  of(series: number, points: PointBlock, [from, to]: readonly [number, number], newest: number): number {
    if (to - from > mostSteps + 1) return noiseOf(points, from, to, newest);
    if (this.#bySeries[series] === -1) this.#bySeries[series] = noiseOf(points, from, to, newest);
    return this.#bySeries[series] as number;
  }
}

/** Collects the levels of all series at two commits, from one block of points after another. */
export class StateLevelsBuilder {
  readonly levels: StateLevels;
  readonly #series: SeriesColumns;
  readonly #noise: KnownNoise;
  readonly #before: SideLevels;
  readonly #after: SideLevels;
  /** The first series of each block; the series of a block are neighbours. */
  readonly #starts = new Map<number, number>();

  /** `from`, `to`: indexes into the list of commits. `noise`: of earlier comparisons of the same series. */
  constructor(series: SeriesColumns, from: number, to: number, noise = new KnownNoise(series.arrays.key.length)) {
    this.#series = series;
    this.#noise = noise;
    const { block } = series.arrays;
    block.forEach((of, at) => this.#starts.has(of) || this.#starts.set(of, at));
    const { length } = block;
    const numbers = (): Float64Array => new Float64Array(length).fill(Number.NaN);
    const side = (): SideLevels => ({
      at: new Int32Array(length).fill(-1),
      center: numbers(),
      low: numbers(),
      high: numbers(),
      n: new Int32Array(length),
    });
    [this.#before, this.#after] = [side(), side()];
    const arrays = { ...sideArrays("before", this.#before), ...sideArrays("after", this.#after), noise: numbers() };
    this.levels = { facts: { from, to }, arrays };
  }

  /** The blocks to add. */
  get blocks(): readonly number[] {
    return [...this.#starts.keys()];
  }

  add(points: PointBlock): void {
    const { arrays } = this.#series;
    const start = this.#starts.get(points.facts.block) ?? arrays.block.length;
    for (let at = start; arrays.block[at] === points.facts.block; at++) {
      const from = arrays.from[at] ?? 0;
      this.#addSeries(at, points, from, from + (arrays.count[at] ?? 0));
    }
  }

  #addSeries(at: number, points: PointBlock, from: number, to: number): void {
    const { facts, arrays } = this.levels;
    const before = lastUntil(points, from, to, facts.from);
    const after = lastUntil(points, from, to, facts.to);
    setLevel(this.#before, at, points, before);
    setLevel(this.#after, at, points, after);
    if (before >= 0 && after >= 0) arrays.noise[at] = this.#noise.of(at, points, [from, to], Math.max(before, after));
  }
}

function sideArrays<Name extends "before" | "after">(
  name: Name,
  { at, center, low, high, n }: SideLevels,
): Record<Name | `${Name}At` | `${Name}Low` | `${Name}High` | `${Name}N`, Float64Array | Int32Array> {
  const named = { [`${name}At`]: at, [name]: center, [`${name}Low`]: low, [`${name}High`]: high, [`${name}N`]: n };
  return named as ReturnType<typeof sideArrays<Name>>;
}

/** Sets the level of a series to that of a point; -1: none. */
function setLevel(side: SideLevels, series: number, { arrays }: PointBlock, point: number): void {
  if (point < 0) return;
  const center = arrays.center[point] as number;
  // A block whose points all have one value stores that value only.
  const isSingle = arrays.n.length === 0;
  side.at[series] = arrays.version[point] as number;
  side.center[series] = center;
  side.low[series] = isSingle ? center : (arrays.low[point] as number);
  side.high[series] = isSingle ? center : (arrays.high[point] as number);
  side.n[series] = isSingle ? 1 : (arrays.n[point] as number);
}

/** The last point of this commit or an earlier one; -1: none. */
function lastUntil({ arrays: { version } }: PointBlock, from: number, to: number, commit: number): number {
  for (let point = to - 1; point >= from; point--) {
    const own = version[point] as number;
    if (own >= 0 && own <= commit) return point;
  }
  return -1;
}

/** Used for one series after the other. */
const steps = new Float64Array(mostSteps);

/** By the median difference of neighbours of one level: those between which a change was detected do not count. */
function noiseOf({ arrays: { center, changes } }: PointBlock, from: number, to: number, newest: number): number {
  const first = Math.max(from, Math.min(newest, to - 1) - mostSteps);
  const last = Math.min(to - 1, first + mostSteps);
  let change = firstAbove(changes, first);
  let count = 0;
  for (let point = first + 1; point <= last; point++)
    if (changes[change] === point) change += 1;
    else steps[count++] = Math.abs((center[point] as number) - (center[point - 1] as number));
  return count < fewestSteps ? Number.NaN : medianInPlace(steps.subarray(0, count)) * noisePerMedian;
}

/** The index of the first number above `least` in an ascending list. */
function firstAbove(ascending: FrameArray, least: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle] as number) > least) to = middle;
    else from = middle + 1;
  }
  return from;
}
