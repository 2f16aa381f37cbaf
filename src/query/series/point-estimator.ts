import type { Direction, SeriesPoint } from "../../core/measurements/index.ts";
import type { PointEstimator } from "../../core/verdicts/index.ts";
import { quantileOfSorted, robustScale } from "../../math/descriptive/index.ts";

/** The value of each point, how it was made of the runs, and the medians of the runs. */
export interface PointValues {
  readonly values: Float64Array;
  readonly medians: Float64Array;
  /** null: points have single runs. */
  readonly estimator: PointEstimator | null;
}

/** Fewest runs of each point, and points, to choose an estimator other than the median. */
const [fewestRuns, fewestPoints] = [5, 16];

/** Largest scatter of another estimator, relative to that of the present one. */
const steadier = 0.75;

/**
 * Values of points by the estimator that is the steadiest for this series: the one with the least robust scatter
 * between neighbours, relative to the values. The choice is made at 16 points, and again whenever their number doubled,
 * from the points until then; another estimator has to be steadier by a quarter. So it does not depend on the newest
 * points, and hardly ever changes. The best run is no choice if the number of runs varies, on which it depends.
 */
export function pointValues(points: readonly SeriesPoint[], better: Direction): PointValues {
  if (points.every(({ sample }) => sample.length === 1)) {
    const values = new Float64Array(points.length);
    for (let at = 0; at < values.length; at++) values[at] = points[at]?.sample[0] as number;
    return { values, medians: values, estimator: null };
  }
  const sorted = points.map(({ sample }) => (sample.length === 1 ? sample : sample.toSorted()));
  const medians = Float64Array.from(sorted, (sample) => quantileOfSorted(sample, 0.5));
  const estimator = steadiest(sorted, medians, better);
  const values = estimator === "median" ? medians : Float64Array.from(sorted, (sample) => valueOf(sample, estimator));
  return { values, medians, estimator };
}

function steadiest(sorted: readonly Float64Array[], medians: Float64Array, better: Direction): PointEstimator {
  let [fewest, most] = [Infinity, 0];
  for (const { length } of sorted) [fewest, most] = [Math.min(fewest, length), Math.max(most, length)];
  if (fewest < fewestRuns) return "median";
  const best = better === "higher" ? "maximum" : "minimum";
  const candidates = (["median", "trimmed-mean", best] as const)
    .filter((each) => each !== best || fewest === most)
    .map((name) => {
      return { name, values: name === "median" ? medians : Float64Array.from(sorted, (each) => valueOf(each, name)) };
    });
  let own: PointEstimator = "median";
  for (let count = fewestPoints; count <= sorted.length; count *= 2) {
    const scatters = candidates.map(({ name, values }) => ({ name, scatter: scatterOf(values.subarray(0, count)) }));
    const present = scatters.find(({ name }) => name === own)?.scatter ?? 0;
    const least = scatters.reduce((low, each) => (each.scatter < low.scatter ? each : low));
    if (least.scatter < steadier * present) own = least.name;
  }
  return own;
}

/** Values of a sorted sample; the trimmed mean is that of the middle half. */
function valueOf(sorted: Float64Array, estimator: PointEstimator): number {
  if (estimator === "minimum") return sorted[0] as number;
  if (estimator === "maximum") return sorted.at(-1) as number;
  if (estimator === "median") return quantileOfSorted(sorted, 0.5);
  const cut = Math.floor(sorted.length / 4);
  const middle = sorted.subarray(cut, sorted.length - cut);
  return middle.reduce((sum, each) => sum + each / middle.length, 0);
}

/** The robust scale of the relative differences of neighbours; infinite for values that are not positive. */
function scatterOf(values: Float64Array): number {
  const steps = new Float64Array(values.length - 1);
  for (let at = 0; at < steps.length; at++) steps[at] = Math.log((values[at + 1] as number) / (values[at] as number));
  return steps.every(Number.isFinite) ? robustScale(steps) : Infinity;
}
