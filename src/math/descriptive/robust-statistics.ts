import { mean, standardDeviation } from "./summary-statistics.ts";
import { quantileOfSorted, median, quantile } from "./quantile.ts";
import { medianInPlace } from "./quickselect.ts";

/** What makes a value stand out, the surest first; null: nothing does. */
type OutlierRule = "z" | "iqr" | "deviation" | null;

export interface Outlier {
  readonly rule: OutlierRule;
  /** Modified z-score, with the sign of the distance from the median. NaN where values do not vary. */
  readonly z: number;
  /**
   * Distance beyond the nearer quartile in interquartile ranges, signed; of what the z-scores left. 0 between the
   * quartiles.
   */
  readonly ranges: number;
  /** The value itself in standard deviations of what the other two rules left. */
  readonly deviations: number;
}

const greatestZ = 3.5;
const greatestRange = 1.5;
const greatestDeviation = 2;

/**
 * Values that stand out, by three rules one after the other, each on what the former left: the modified z-score
 * (Iglewicz and Hoaglin, "How to Detect and Handle Outliers", 1993), distance from the quartiles (Tukey), multiple of
 * the standard deviation. `isPerun`: with its z-score of infinity where more than half of the values are equal, instead
 * of the mean distance that the authors take there.
 */
export function outliers(values: Float64Array, isPerun: boolean): Outlier[] {
  const z = modifiedZ(values, isPerun);
  const isFirst = (i: number): boolean => Math.abs(z[i] ?? 0) > greatestZ;
  const calm = values.filter((_, i) => !isFirst(i));
  const range = rangesBeyond(calm);
  const isSecond = (value: number): boolean => Math.abs(range(value)) > greatestRange;
  const spread = standardDeviation(calm.filter((value) => !isSecond(value)));
  return Array.from(values, (value, i) => {
    const deviations = value === 0 ? 0 : value / spread;
    const ranges = range(value);
    const third = Math.abs(deviations) > greatestDeviation ? "deviation" : null;
    return { rule: isFirst(i) ? "z" : isSecond(value) ? "iqr" : third, z: z[i] ?? Number.NaN, ranges, deviations };
  });
}

function modifiedZ(values: Float64Array, isPerun: boolean): Float64Array {
  const middle = median(values);
  const distances = values.map((value) => Math.abs(value - middle));
  const usual = median(distances);
  if (usual > 0 || isPerun) return values.map((value) => (0.6745 * (value - middle)) / usual);
  const average = mean(distances);
  return values.map((value) => (average === 0 ? 0 : (value - middle) / (1.253314 * average)));
}

function rangesBeyond(values: Float64Array): (value: number) => number {
  const [lower, upper] = [quantile(values, 0.25), quantile(values, 0.75)];
  const range = upper - lower;
  const of = (distance: number): number => (distance === 0 ? 0 : distance / range);
  return (value) => (value > upper ? of(value - upper) : value < lower ? of(value - lower) : 0);
}

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
