import { median } from "../../math/descriptive/index.ts";
import { type KnownVariance, unknownVariance } from "../../math/detectors/index.ts";
import type { Line } from "./line.ts";

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
