import { ensemble, ensembleDefaults } from "../../math/detectors/ensemble.ts";
import { median } from "../../math/descriptive/quantile.ts";

/** What was measured while nothing changed. */
export interface SteadyNoise {
  /** The newest level: what shares of it are of. */
  readonly level: number;
  /** Deviations from the level of their stretch, as they would be at the newest level, in the order of history. */
  readonly noise: Float64Array;
  /** Stretches of at least two values without a change, as places: `from` to before `to`. */
  readonly stretches: readonly Stretch[];
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Values that a stretch between two changes has at least: those about a change may belong to neither side. */
const shortest = 5;

/**
 * The noise of a history between its changes. They are looked for by the ensemble whatever the gate's own method is: a
 * gate that cries wolf would cut its false alarms out of the history by which it is to be judged.
 */
export function steadyNoise(values: Float64Array): SteadyNoise {
  const places = ensemble(values, ensembleDefaults).map(({ index }) => index);
  const ends = [...places, values.length];
  const all = ends.map((to, at) => ({ from: at === 0 ? 0 : (ends[at - 1] as number), to }));
  return noiseOf(
    values,
    all.filter(({ from, to }) => to - from >= shortest),
  );
}

/** The noise of values that were measured of the same version, one after the other: `versions` beside `values`. */
export function repeatedNoise(values: Float64Array, versions: readonly (string | null)[]): SteadyNoise {
  const stretches: Stretch[] = [];
  for (let from = 0; from < values.length;) {
    let to = from + 1;
    while (to < values.length && versions[to] === versions[from]) to += 1;
    if (to - from >= 2) stretches.push({ from, to });
    from = to;
  }
  return noiseOf(values, stretches);
}

/** Where all values are positive noise grows with its level, else it does not. */
function noiseOf(values: Float64Array, stretches: readonly Stretch[]): SteadyNoise {
  const isPositive = values.every((value) => value > 0);
  const last = stretches.at(-1);
  const level = last === undefined ? Number.NaN : median(values.slice(last.from, last.to));
  const noise = stretches.flatMap(({ from, to }) => {
    const own = values.slice(from, to);
    const middle = median(own);
    // The level is taken from the same values, which lie closer to it than to the true one.
    const growth = Math.sqrt(own.length / (own.length - 1)) * (isPositive ? level / middle : 1);
    return Array.from(own, (value) => (value - middle) * growth);
  });
  return { level, noise: Float64Array.from(noise), stretches };
}
