import { median } from "../../math/descriptive/quantile.ts";
import { valuesAt, type Evidence, type Measurement } from "./evidence.ts";

/**
 * A measurement of an end: how far it lies from the level there, and how many measurements of any version were made
 * before it.
 */
interface Reference {
  readonly time: number;
  readonly away: number;
}

/** Of fewer measurements of the ends nobody can tell what belongs to the hour. */
const fewest = 8;

/** How many measurements a machine may stay slow for: widths of the Gaussian weights that are tried. */
const widths = [2, 4, 8, 16];

/**
 * Neighbours in time have to foretell a measurement of an end so much better than all others do. Where nothing drifts
 * they foretell it worse.
 */
const better = 0.85;

/**
 * What is measured on a machine that becomes slower or faster meanwhile, as if it had not: the measurements of the
 * ends, of which it is known what they are, tell the drift at their time, and those near to a measurement tell how much
 * of it is to be taken away. `null`: nothing drifts, as far as one can see.
 */
export function withoutDrift(evidence: Evidence): Evidence | null {
  const references = referencesOf(evidence);
  const width = widthOf(references);
  if (width === null) return null;
  const measurements = evidence.measurements.map(({ place, value }, time): Measurement => {
    return { place, value: value - foretold(references, time, width) };
  });
  return { ...evidence, measurements };
}

function referencesOf(evidence: Evidence): Reference[] {
  const levels = new Map([0, evidence.last].map((end) => [end, median(valuesAt(evidence, end))]));
  return evidence.measurements.flatMap(({ place, value }, time) => {
    const level = levels.get(place);
    return level === undefined ? [] : [{ time, away: value - level }];
  });
}

function widthOf(references: readonly Reference[]): number | null {
  if (references.length < fewest) return null;
  const errorOf = (width: number): number =>
    references.reduce((sum, { time, away }) => sum + Math.abs(away - foretold(references, time, width)), 0);
  let [best, least] = [null as number | null, better * errorOf(Number.POSITIVE_INFINITY)];
  for (const width of widths) {
    const error = errorOf(width);
    if (error < least) [best, least] = [width, error];
  }
  return best;
}

/** The mean of all references but the one of that time itself, the nearer ones with more weight. */
function foretold(references: readonly Reference[], at: number, width: number): number {
  let [sum, weights] = [0, 0];
  for (const { time, away } of references) {
    if (time === at) continue;
    const weight = Math.exp(-(((time - at) / width) ** 2) / 2) + 1e-9;
    sum += weight * away;
    weights += weight;
  }
  return sum / weights;
}
