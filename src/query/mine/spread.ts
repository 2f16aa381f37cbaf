import { chiSquareTail, chiSquareUpper } from "../../math/distributions/chi-square.ts";
import { madFactor, quartileDispersion } from "../../math/descriptive/robust-scale.ts";
import { moments } from "../../math/descriptive/moments.ts";
import { quantileOfSorted } from "../../math/descriptive/quantile.ts";
import { medianInterval, signTail, type Interval } from "../../math/hypothesis-tests/sign-test.ts";
import type { Spread } from "./finding.ts";

/** From here on the sign test can say something; below, a normal distribution has to be taken for granted. */
const fewestForSigns = 8;

/** Fewest values that can differ too much from one another. */
export const fewestForSpread = 3;

type Evidence = Pick<Spread, "spread" | "interval" | "method" | "p">;

/**
 * How likely values spread no more than `limit`, a share of their level. `relative` are deviations from the level as
 * shares of it. From 8 values on the median deviation counts, which a few outliers do not move: its interval and p are
 * those of the sign test. Below, the standard deviation and the distribution of the variance of normal values.
 */
export function spreadOf(relative: Float64Array, limit: number, confidence: number): Evidence {
  return relative.length < fewestForSigns
    ? standardSpread(relative, limit, confidence)
    : medianSpread(relative, limit, confidence);
}

function medianSpread(relative: Float64Array, limit: number, confidence: number): Evidence {
  const sizes = relative.map(Math.abs).sort();
  const beyond = sizes.reduce((count, size) => count + (size * madFactor > limit ? 1 : 0), 0);
  const { low, high } = medianInterval(sizes, confidence);
  return {
    spread: madFactor * quantileOfSorted(sizes, 0.5),
    interval: { low: madFactor * low, high: madFactor * high },
    method: "median-deviation",
    p: signTail(beyond, sizes.length),
  };
}

function standardSpread(relative: Float64Array, limit: number, confidence: number): Evidence {
  const { count, variance } = moments(relative);
  const squares = variance * (count - 1);
  const end = (tail: number): number => Math.sqrt(squares / chiSquareUpper(tail, count - 1));
  const interval: Interval = { low: end((1 - confidence) / 2), high: end((1 + confidence) / 2) };
  const p = limit > 0 ? chiSquareTail(squares / limit ** 2, count - 1) : variance > 0 ? 0 : 1;
  return { spread: Math.sqrt(variance), interval, method: "standard-deviation", p };
}

/** What else is told of the values of a set. */
export function describedSpread(values: Float64Array): Pick<Spread, "level" | "variation" | "dispersion"> {
  const { mean, variance } = moments(values);
  const sorted = Float64Array.from(values).sort();
  return {
    level: quantileOfSorted(sorted, 0.5),
    variation: Math.sqrt(variance) / Math.abs(mean),
    dispersion: quartileDispersion(sorted),
  };
}
