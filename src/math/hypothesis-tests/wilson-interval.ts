import type { Interval } from "./sign-test.ts";

/** The normal quantile of 0.975. */
const z = 1.959963984540054;

/**
 * The 95 % interval of a share that was seen `hits` times in `trials` (Wilson 1927): it has a width for a share of 0,
 * too.
 */
export function wilsonInterval(hits: number, trials: number): Interval {
  const share = hits / trials;
  const centre = share + z ** 2 / (2 * trials);
  const half = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  const whole = 1 + z ** 2 / trials;
  return {
    low: hits === 0 ? 0 : Math.max(0, (centre - half) / whole),
    high: hits === trials ? 1 : Math.min(1, (centre + half) / whole),
  };
}
