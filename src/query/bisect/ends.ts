import { mannWhitney } from "../../math/hypothesis-tests/mann-whitney.ts";
import { median } from "../../math/descriptive/quantile.ts";
import { studentTest } from "../../math/hypothesis-tests/student-t-test.ts";
import { valuesAt, type Evidence } from "./evidence.ts";

/** What the two ends tell of the levels between which a step is looked for. */
export interface Ends {
  readonly good: End;
  readonly bad: End;
  /** How a single measurement scatters; never 0. */
  readonly scale: number;
  /** The least scale that is believed in. */
  readonly leastScale: number;
}

interface End {
  readonly level: number;
  readonly count: number;
}

/** Fewer measurements of an end say nothing of how they scatter, unless they do not scatter at all. */
const fewest = 3;

/**
 * It is looked after each measurement, up to twenty times: this bounds how often ends without a difference are taken
 * for different ones to about 2 %.
 */
const surely = 0.005;

/** Of a normal distribution the median distance from the centre, as a share of its standard deviation. */
const medianDistance = 0.6745;

/**
 * However alike measurements are, one that lies a step away from its level is thinkable: what counts instructions knows
 * of no noise, and may err.
 */
const leastShareOfStep = 1 / 12;

/** Numbers below this lose digits when they are divided. */
const smallest = 1e-300;

/**
 * Whether the levels of the two ends differ for certain, by Student's test, or Mann and Whitney's, which no outlier
 * deceives.
 */
export function endsDiffer(evidence: Evidence): boolean {
  const [good, bad] = [valuesAt(evidence, 0), valuesAt(evidence, evidence.last)];
  if (Math.min(good.length, bad.length) < 2) return false;
  if (new Set(good).size === 1 && new Set(bad).size === 1) return good[0] !== bad[0];
  if (Math.min(good.length, bad.length) < fewest) return false;
  return studentTest(good, bad) < surely || mannWhitney(good, bad) < surely;
}

/** Levels and scale of the ends, of which each was measured twice or more. */
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

/**
 * By the median distance from the own level, so that an outlier does not count; widened for what two estimated levels
 * take away.
 */
function robustScale(good: Float64Array, goodLevel: number, bad: Float64Array, badLevel: number): number {
  const distances = Float64Array.from(
    [...good].map((v) => Math.abs(v - goodLevel)).concat([...bad].map((v) => Math.abs(v - badLevel))),
  );
  const freedom = Math.max(1, distances.length - 2);
  return (median(distances) / medianDistance) * Math.sqrt(distances.length / freedom);
}
