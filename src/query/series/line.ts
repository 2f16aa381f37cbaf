import type { Direction, PointOrigin, Series, SeriesPoint, Growth } from "../../core/measurements/index.ts";
import { median, medianBetween, middleRanks } from "../../math/descriptive/index.ts";
import { type KnownVariance, unknownVariance } from "../../math/detectors/index.ts";
import { growthClasses } from "../../math/regression/index.ts";
import type { PointEstimator, Side } from "../../core/verdicts/index.ts";
import { medianRank } from "../../math/hypothesis-tests/index.ts";
import { pointValues } from "./point-estimator.ts";

/** A series with one value per point: runs of one version share their noise. */
export interface Line {
  readonly origins: readonly PointOrigin[];
  readonly values: Float64Array;
  /** The points, for their growth; absent: they have only origin and value. */
  readonly points?: readonly SeriesPoint[];
  /** How values were made of the runs, and the medians of these; absent: points have single runs. */
  readonly estimator?: PointEstimator;
  readonly medians?: Float64Array;
  /** The CPU time of the same program. */
  readonly cpuTime?: Line;
}

export function lineOf(series: Series): Line {
  const { columns } = series;
  if (columns !== undefined) return columns;
  return estimatedLine(series.points, series.points, series.subject.better);
}

/** The line of points, by the estimator that is the steadiest for them. */
export function estimatedLine(
  points: readonly SeriesPoint[],
  origins: readonly PointOrigin[],
  better: Direction,
): Line {
  const { values, medians, estimator } = pointValues(points, better);
  return { origins, values, points, ...(estimator === null ? {} : { medians, estimator }) };
}

/** The canary that perfkeep measured, at each version and machine once. */
export function canaryLine(origins: readonly PointOrigin[]): Line {
  const known = new Map<string, PointOrigin>();
  for (const origin of origins)
    if (origin.canary !== undefined) known.set(JSON.stringify([origin.version, origin.machine]), origin);
  const own = [...known.values()];
  return { origins: own, values: Float64Array.from(own, ({ canary }) => canary ?? Number.NaN) };
}

/** The same points by the medians of their runs. */
export function medianLine(line: Line): Line {
  const { medians, estimator } = line;
  if (medians === undefined || estimator === "median") return line;
  return { ...line, values: medians, estimator: "median" };
}

/** Selects the points of a line with these origins, a subsequence of its own. */
export function selectPoints(line: Line, origins: readonly PointOrigin[]): Line {
  if (origins.length === line.origins.length) return line;
  const kept = new Set(origins);
  return lineAt(
    line,
    line.origins.flatMap((origin, at) => (kept.has(origin) ? [at] : [])),
  );
}

/** The points of a line at these indices, in order. */
export function lineAt(line: Line, indices: readonly number[]): Line {
  const kept = new Set(indices);
  const isKept = (_: unknown, at: number): boolean => kept.has(at);
  return {
    origins: line.origins.filter(isKept),
    values: line.values.filter(isKept),
    ...(line.points === undefined ? {} : { points: line.points.filter(isKept) }),
    ...(line.estimator === undefined ? {} : { estimator: line.estimator }),
    ...(line.medians === undefined ? {} : { medians: line.medians.filter(isKept) }),
  };
}

/** The line with all values of each point multiplied by its factor. */
export function multiplied(line: Line, factors: Float64Array): Line {
  const product = (value: number, at: number): number => value * (factors[at] as number);
  const { values, points, estimator, medians } = line;
  return {
    origins: line.origins,
    values: values.map(product),
    ...(estimator === undefined ? {} : { estimator }),
    ...(medians === undefined ? {} : { medians: medians.map(product) }),
    ...(points === undefined
      ? {}
      : { points: points.map((point, at) => ({ ...point, sample: point.sample.map((run) => product(run, at)) })) }),
  };
}

/** All values measured at the points, in order. */
export function runsOf({ values, points }: Line, from: number, to: number): Float64Array {
  if (points === undefined) return values.slice(from, to);
  return concatenate(points.slice(from, to).map(({ sample }) => sample));
}

/** The median of the runs' level at the points: comparable with single runs, whatever the estimator. */
export function runLevel({ values, medians = values }: Line, from: number, to: number): number {
  return medianBetween(medians, from, to);
}

/** Fewest runs of each point that show their scatter. */
const fewestRuns = 3;

/** Most distances between two runs, in the order of measurement, at which they are compared. */
const mostLags = 3;

/** For normal values: the median difference of two over their standard deviation, and the share of freedom it keeps. */
const [medianDifference, efficiency] = [0.6744897501960817 * Math.SQRT2, 0.7];

/**
 * The relative variance of a point's value that the scatter of its runs explains: points scatter at least as much. The
 * scatter is the median difference of two runs of a point (after Shamos 1976), over all points from `from` to before
 * `to`, without what each run in order has in common, such as a slow first one. Unknown for single runs, for the best
 * run, and for values that are not positive.
 */
export function runVariance({ points, estimator }: Line, from: number, to: number): KnownVariance {
  const samples = (points?.slice(from, to) ?? []).map(({ sample }) => sample.map(Math.log));
  const isMiddle = estimator === "median" || estimator === "trimmed-mean";
  const counts = samples.map(({ length }) => length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  if (!isMiddle || samples.length === 0 || fewest < fewestRuns) return unknownVariance;
  if (!samples.every((sample) => sample.every(Number.isFinite))) return unknownVariance;
  const isEven = fewest === most && samples.length > most;
  const rests = isEven ? withoutCommonOrder(samples) : samples;
  const scale = median(differences(rests)) / medianDifference;
  const freedom = samples.reduce((sum, { length }) => sum + length - 1, 0) - (isEven ? most - 1 : 0);
  return {
    variance: scale ** 2 * (estimator === "median" ? medianVariance(most) : 1 / most),
    freedom: Math.max(1, efficiency * freedom),
  };
}

/** The least variance of the median of normal values, relative to theirs. */
function medianVariance(count: number): number {
  return Math.PI / 2 / (count + 4 / 3);
}

/** Samples of one length without the median that each position has in all, relative to the median of a sample. */
function withoutCommonOrder(samples: readonly Float64Array[]): Float64Array[] {
  const middles = samples.map(median);
  const common = (samples[0] as Float64Array).map((_, run) =>
    median(Float64Array.from(samples, (sample, at) => (sample[run] as number) - (middles[at] as number))),
  );
  return samples.map((sample) => sample.map((each, run) => each - (common[run] as number)));
}

/** Sizes of the differences of runs, each with the next ones in a circle. */
function differences(samples: readonly Float64Array[]): Float64Array {
  return Float64Array.from(
    samples.flatMap((sample) => {
      const lags = Math.min(mostLags, Math.floor((sample.length - 1) / 2));
      return Array.from({ length: lags * sample.length }, (_, pair) => {
        const at = Math.floor(pair / lags);
        return Math.abs((sample[at] as number) - (sample[(at + 1 + (pair % lags)) % sample.length] as number));
      });
    }),
  );
}

/** The growth classes of both sides. `steps`: > 0 if the class after grows faster. */
export interface GrowthChange {
  readonly before: Growth;
  readonly after: Growth;
  readonly steps: number;
}

export function growthChange(before: readonly SeriesPoint[], after: readonly SeriesPoint[]): GrowthChange | undefined {
  if (before[0]?.growth === undefined) return undefined;
  const [from, to] = [growthIn(before), growthIn(after)];
  if (from === undefined || to === undefined) return undefined;
  return { before: from, after: to, steps: growthClasses.indexOf(to.name) - growthClasses.indexOf(from.name) };
}

/** The most common class, the slower one of equally common ones, with the medians of its numbers. */
function growthIn(points: readonly SeriesPoint[]): Growth | undefined {
  const all = points.flatMap(({ growth = [] }) => growth);
  const count = (name: string): number => all.filter((each) => each.name === name).length;
  const name = growthClasses.reduce((best, each) => (count(each) > count(best) ? each : best), growthClasses[0] ?? "1");
  const own = all.filter((each) => each.name === name);
  if (own.length === 0) return undefined;
  const middle = (of: (growth: Growth) => number): number => median(Float64Array.from(own, of));
  return {
    name,
    exponent: middle(({ exponent }) => exponent),
    low: middle(({ low }) => low),
    high: middle(({ high }) => high),
    rSquared: middle(({ rSquared }) => rSquared),
  };
}

function concatenate(samples: readonly Float64Array[]): Float64Array {
  const [only, ...others] = samples;
  if (only !== undefined && others.length === 0) return only;
  const all = new Float64Array(samples.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const sample of samples) {
    all.set(sample, at);
    at += sample.length;
  }
  return all;
}

export function sideOf(values: Float64Array, from: number, to: number): Side {
  const n = to - from;
  const { median: center, low, high } = middleRanks(values, from, to, medianRank(n, confidence));
  return { center, low, high, n };
}

export function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += values[at] as number;
  return sum / (to - from);
}

/** Level of the intervals. */
export const confidence = 0.95;

/** A point that pools samples of its version and machine. */
export class OpenPoint {
  readonly origin: PointOrigin;
  readonly #evidence: string[];
  #isDisturbed = true;
  readonly #others: PointOrigin[] = [];
  readonly #samples: Float64Array[];
  readonly #growths: Growth[];

  constructor(origin: PointOrigin, evidence: string, sample: Float64Array, growth: Growth | undefined) {
    this.origin = origin;
    [this.#evidence, this.#samples, this.#growths] = [[evidence], [sample], growth === undefined ? [] : [growth]];
  }

  add(origin: PointOrigin, evidence: string, sample: Float64Array, growth: Growth | undefined): void {
    if (origin.disturbance === undefined) this.#isDisturbed = false;
    this.#others.push(origin);
    this.#evidence.push(evidence);
    this.#samples.push(sample);
    if (growth !== undefined) this.#growths.push(growth);
  }

  closed(): SeriesPoint {
    const { version, machine, disturbance } = this.origin;
    const evidence = this.#evidence.length === 1 ? this.#evidence : [...new Set(this.#evidence)];
    // Runs of undisturbed profiles count.
    const disturbed = this.#isDisturbed && disturbance !== undefined ? { disturbance } : {};
    const state = stateOf([this.origin, ...this.#others]);
    const point = { version, machine, ...disturbed, ...state, evidence, sample: concatenate(this.#samples) };
    return this.#growths.length === 0 ? point : { ...point, growth: this.#growths };
  }
}

/** The highest clock rate and the mean time of the canary of several profiles. */
function stateOf(origins: readonly PointOrigin[]): Pick<PointOrigin, "clock" | "canary"> {
  const clocks = origins.flatMap(({ clock }) => clock ?? []);
  const canaries = origins.flatMap(({ canary }) => canary ?? []);
  return {
    ...(clocks.length === 0 ? {} : { clock: Math.max(...clocks) }),
    ...(canaries.length === 0 ? {} : { canary: canaries.reduce((sum, each) => sum + each, 0) / canaries.length }),
  };
}

/** The point of the same version and machine among the newest points. */
export function pooledWith(points: readonly OpenPoint[], { version, machine }: PointOrigin): OpenPoint | undefined {
  if (version === null) return undefined;
  for (let at = points.length - 1; at >= 0; at--) {
    const point = points[at] as OpenPoint;
    if (point.origin.version !== version) return undefined;
    if (point.origin.machine === machine) return point;
  }
  return undefined;
}
