import type { PointBlock, SeriesColumns, StateLevels } from "../../core/pages/index.ts";
import { medianInPlace } from "../../math/descriptive/index.ts";

/** Fewest differences of neighbouring points that show the noise, and the most that are read. */
const [fewestSteps, mostSteps] = [5, 256];

/** Standard deviations of a normal distribution that 5 % exceed, per median of absolute values. */
const noisePerMedian = 1.96 * 1.4826;

type Names = keyof StateLevels["arrays"];

/** Collects the levels of all series at two commits, from one block of points after another. */
export class StateLevelsBuilder {
  readonly levels: StateLevels;
  readonly #series: SeriesColumns;
  /** The first series of each block; the series of a block are neighbours. */
  readonly #starts = new Map<number, number>();

  /** `from`, `to`: indexes into the list of commits. */
  constructor(series: SeriesColumns, from: number, to: number) {
    this.#series = series;
    const { block } = series.arrays;
    block.forEach((of, at) => this.#starts.has(of) || this.#starts.set(of, at));
    const numbers = (): Float64Array => new Float64Array(block.length).fill(Number.NaN);
    const indexes = (): Int32Array => new Int32Array(block.length).fill(-1);
    const side = <Name extends string>(name: Name) =>
      ({
        [`${name}At`]: indexes(),
        [name]: numbers(),
        [`${name}Low`]: numbers(),
        [`${name}High`]: numbers(),
        [`${name}N`]: new Int32Array(block.length),
      }) as Record<Name | `${Name}At` | `${Name}Low` | `${Name}High` | `${Name}N`, Float64Array | Int32Array>;
    this.levels = { facts: { from, to }, arrays: { ...side("before"), ...side("after"), noise: numbers() } };
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
    const [before, after] = [facts.from, facts.to].map((commit) => lastUntil(points, from, to, commit)) as [
      number,
      number,
    ];
    this.#setSide("before", at, points, before);
    this.#setSide("after", at, points, after);
    if (before >= 0 && after >= 0) arrays.noise[at] = noiseOf(points, from, to, Math.max(before, after));
  }

  #setSide(side: "before" | "after", at: number, { arrays }: PointBlock, point: number): void {
    if (point < 0) return;
    const set = (name: Names, value: number | undefined): unknown =>
      (this.levels.arrays[name][at] = value ?? Number.NaN);
    const center = arrays.center[point];
    set(`${side}At`, arrays.version[point]);
    set(side, center);
    // A block whose points all have one value stores that value only.
    const isSingle = arrays.n.length === 0;
    set(`${side}Low`, isSingle ? center : arrays.low[point]);
    set(`${side}High`, isSingle ? center : arrays.high[point]);
    set(`${side}N`, isSingle ? 1 : arrays.n[point]);
  }
}

/** The last point of this commit or an earlier one; -1: none. */
function lastUntil({ arrays: { version } }: PointBlock, from: number, to: number, commit: number): number {
  for (let point = to - 1; point >= from; point--) {
    const own = version[point] as number;
    if (own >= 0 && own <= commit) return point;
  }
  return -1;
}

/** The median difference of neighbours hardly depends on changes of level, of which there are few. */
function noiseOf({ arrays: { center } }: PointBlock, from: number, to: number, newest: number): number {
  const first = Math.max(from, Math.min(newest, to - 1) - mostSteps);
  const steps = new Float64Array(Math.min(to - 1 - first, mostSteps));
  if (steps.length < fewestSteps) return Number.NaN;
  for (let step = 0; step < steps.length; step++)
    steps[step] = Math.abs((center[first + step + 1] as number) - (center[first + step] as number));
  return medianInPlace(steps) * noisePerMedian;
}
