import { quantileOfSorted } from "./quantile.ts";
import { medianInPlace } from "./quickselect.ts";

/** Makes the median absolute deviation of a normal distribution its standard deviation: 1 / Φ⁻¹(3/4). */
const madFactor = 1.482602218505602;

/** Makes the mean absolute deviation of a normal distribution its standard deviation: √(π/2). */
const meanFactor = 1.2533141373155003;

/**
 * The standard deviation as the median of absolute deviations tells it (Hampel 1974), which half of the values may lie
 * about. Where more than half do not deviate at all it would be 0; then the mean deviation stands in (Iglewicz and
 * Hoaglin 1993). Takes deviations from the centre, in any order.
 */
export function robustScale(deviations: Float64Array): number {
  const sizes = new Float64Array(deviations.length);
  for (let at = 0; at < sizes.length; at++) sizes[at] = Math.abs(deviations[at] as number);
  const middle = medianInPlace(sizes);
  if (middle > 0) return middle * madFactor;
  return (deviations.reduce((sum, deviation) => sum + Math.abs(deviation), 0) / sizes.length) * meanFactor;
}

/**
 * (Q3 - Q1) / (Q3 + Q1), a relative spread without the extremes (Bonett 2006). `sorted` is ascending; NaN when empty or
 * around 0.
 */
export function quartileDispersion(sorted: Float64Array): number {
  const [low, high] = [quantileOfSorted(sorted, 0.25), quantileOfSorted(sorted, 0.75)];
  return low + high === 0 ? Number.NaN : (high - low) / Math.abs(high + low);
}

export { madFactor };
