import { mannWhitney, studentTest } from "../../math/hypothesis-tests/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { valuesAt, type Evidence } from "./evidence.ts";

/** The levels and the scatter that the measurements of the two ends suggest. */
export interface Ends {
  readonly good: End;
  readonly bad: End;
  /** Scatter of a single measurement; never 0. */
  readonly scale: number;
  /** Lower bound of the scale. */
  readonly leastScale: number;
}

interface End {
  readonly level: number;
  readonly count: number;
}

/** Fewest measurements of an end that show its scatter, unless all of them are equal. */
const fewest = 3;

/**
 * Significance level of the test of the ends. It runs after each measurement, up to twenty times: this keeps the rate
 * of ends that differ by chance only at about 2 %.
 */
const significance = 0.005;

/** Median distance from the centre of a normal distribution, as a share of its standard deviation. */
const medianDistance = 0.6745;

/**
 * The scale is at least this share of the step: even noise-free measurements such as instruction counts may be wrong by
 * a step.
 */
const leastShareOfStep = 1 / 12;

/** Smaller numbers lose digits in a division. */
const smallest = 1e-300;

/**
 * Whether the levels of the two ends differ significantly by Student's or by the Mann-Whitney test, which resists
 * outliers.
 */
export function endsDiffer(evidence: Evidence): boolean {
  const [good, bad] = [valuesAt(evidence, 0), valuesAt(evidence, evidence.last)];
  if (Math.min(good.length, bad.length) < 2) return false;
  if (new Set(good).size === 1 && new Set(bad).size === 1) return good[0] !== bad[0];
  if (Math.min(good.length, bad.length) < fewest) return false;
  return studentTest(good, bad) < significance || mannWhitney(good, bad) < significance;
}

/** Levels and scale of the ends, each measured twice or more. */
export function endsOf(evidence: Evidence): Ends {
  const [good, bad] = [valuesAt(evidence, 0), valuesAt(evidence, evidence.last)];
  const [goodLevel, badLevel] = [median(good), median(bad)];
  const step = Math.abs(badLevel - goodLevel);
  const greatest = good.reduce(
    (most, value) => Math.max(most, Math.abs(value)),
    bad.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
  );
  const leastScale = Math.max(step > 0 ? step * leastShareOfStep : greatest * 1e-9, smallest);
  const scale = Math.max(robustScale(good, goodLevel, bad, badLevel), leastScale);
  return {
    good: { level: goodLevel, count: good.length },
    bad: { level: badLevel, count: bad.length },
    scale,
    leastScale,
  };
}

/** Scale by the median distance from the own level, which resists outliers, corrected for the two estimated levels. */
function robustScale(good: Float64Array, goodLevel: number, bad: Float64Array, badLevel: number): number {
  const distances = Float64Array.from(
    [...good].map((v) => Math.abs(v - goodLevel)).concat([...bad].map((v) => Math.abs(v - badLevel))),
  );
  const freedom = Math.max(1, distances.length - 2);
  return (median(distances) / medianDistance) * Math.sqrt(distances.length / freedom);
}
