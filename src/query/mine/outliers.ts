import { robustScale } from "../../math/descriptive/robust-scale.ts";
import { studentTail } from "../../math/distributions/student-t.ts";

/** A value far from the level of its set. */
export interface Far {
  readonly at: number;
  /** Robust standard deviations. */
  readonly distance: number;
  readonly p: number;
}

/** Fewest values among which one can stand out. */
export const fewestForOutliers = 5;

/** Hampel's three standard deviations. */
const farFrom = 3;

/**
 * Hampel's identifier: deviations of more than 3 robust standard deviations, with the two-sided p of Student's
 * distribution, whose tails allow for a scale that few values tell.
 */
export function farValues(deviations: Float64Array): Far[] {
  if (deviations.length < fewestForOutliers) return [];
  const scale = robustScale(deviations);
  const found: Far[] = [];
  if (!(scale > 0)) return found;
  deviations.forEach((deviation, at) => {
    const distance = Math.abs(deviation) / scale;
    if (distance > farFrom) found.push({ at, distance, p: 2 * studentTail(distance, deviations.length - 1) });
  });
  return found;
}
