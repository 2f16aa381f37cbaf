import { ensemble, ensembleDefaults } from "../../math/detectors/index.ts";
import { median } from "../../math/descriptive/index.ts";

/** Measurements while nothing changed. */
export interface SteadyNoise {
  /** The newest level, which shares refer to. */
  readonly level: number;
  /** Deviations from the level of their stretch, scaled to the newest level, in the order of history. */
  readonly noise: Float64Array;
  /** Stretches of at least two values without a change: indices from `from` to before `to`. */
  readonly stretches: readonly Stretch[];
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Fewest values of a stretch between two changes: those next to a change may belong to either side. */
const shortest = 5;

/**
 * The noise of a history between its changes. The ensemble detects them whatever the gate's method is: a gate with many
 * false positives would remove them from the history that it is evaluated with.
 */
export function steadyNoise(values: Float64Array): SteadyNoise {
  const indices = ensemble(values, ensembleDefaults).map(({ index }) => index);
  const ends = [...indices, values.length];
  const all = ends.map((to, at) => ({ from: at === 0 ? 0 : (ends[at - 1] as number), to }));
  return noiseOf(
    values,
    all.filter(({ from, to }) => to - from >= shortest),
  );
}

/** The noise of consecutive values of the same version; `versions` is parallel to `values`. */
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

/** If all values are positive, noise is proportional to the level; else it is constant. */
function noiseOf(values: Float64Array, stretches: readonly Stretch[]): SteadyNoise {
  const isPositive = values.every((value) => value > 0);
  const last = stretches.at(-1);
  const level = last === undefined ? Number.NaN : median(values.slice(last.from, last.to));
  const noise = stretches.flatMap(({ from, to }) => {
    const own = values.slice(from, to);
    const middle = median(own);
    // Corrects for the level, which is estimated from the same values.
    const growth = Math.sqrt(own.length / (own.length - 1)) * (isPositive ? level / middle : 1);
    return Array.from(own, (value) => (value - middle) * growth);
  });
  return { level, noise: Float64Array.from(noise), stretches };
}
