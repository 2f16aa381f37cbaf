import type { Interval } from "./paired-tests.ts";

/** The normal quantile of 0.975. */
const z = 1.959963984540054;

/** The 95 % confidence interval of a proportion of `hits` in `trials` (Wilson 1927). */
export function wilsonInterval(hits: number, trials: number): Interval {
  const share = hits / trials;
  const centre = share + z ** 2 / (2 * trials);
  const half = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  const scale = 1 + z ** 2 / trials;
  return {
    low: hits === 0 ? 0 : Math.max(0, (centre - half) / scale),
    high: hits === trials ? 1 : Math.min(1, (centre + half) / scale),
  };
}

/**
 * The false discovery rate q of each p (Benjamini and Hochberg, "Controlling the False Discovery Rate", 1995). `tests`:
 * total number of tests, if only the smallest p are passed.
 */
export function falseDiscovery(p: Float64Array, tests: number = p.length): Float64Array {
  const order = Uint32Array.from(p.keys()).sort((a, b) => (p[a] as number) - (p[b] as number));
  const q = new Float64Array(p.length);
  let least = 1;
  for (let rank = p.length; rank > 0; rank--) {
    const at = order[rank - 1] as number;
    least = Math.min(least, ((p[at] as number) * tests) / rank);
    q[at] = least;
  }
  return q;
}
