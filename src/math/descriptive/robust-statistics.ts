import { mean, standardDeviation } from "./summary-statistics.ts";
import { median, quantile } from "./quantile.ts";
import { copied, medianInPlace } from "./quickselect.ts";

/** The rule by which a value is an outlier, the most reliable first; null: none. */
type OutlierRule = "z" | "iqr" | "deviation" | null;

export interface Outlier {
  readonly rule: OutlierRule;
  /** Modified z-score, signed. NaN if the values do not vary. */
  readonly z: number;
  /**
   * Signed distance beyond the nearer quartile in interquartile ranges, without outliers by z-score. 0 between the
   * quartiles.
   */
  readonly ranges: number;
  /** The value in standard deviations of the values without outliers by the other rules. */
  readonly deviations: number;
}

const greatestZ = 3.5;
const greatestRange = 1.5;
const greatestDeviation = 2;

/**
 * Outliers by three consecutive rules, each without the outliers of the previous ones: the modified z-score (Iglewicz
 * and Hoaglin, "How to Detect and Handle Outliers", 1993), distance from the quartiles (Tukey), multiple of the
 * standard deviation. `isPerun`: an infinite z-score if more than half of the values are equal, instead of the authors'
 * mean distance.
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

/** Factor from the median absolute deviation to the standard deviation of a normal distribution: 1 / Φ⁻¹(3/4). */
const madFactor = 1.482602218505602;

/** Factor from the mean absolute deviation to the standard deviation of a normal distribution: √(π/2). */
const meanFactor = 1.2533141373155003;

/**
 * The standard deviation, estimated by the median absolute deviation (Hampel 1974), which tolerates up to half of the
 * values as outliers, or by the mean absolute deviation if more than half are 0 (Iglewicz and Hoaglin 1993). Takes
 * the first `length` deviations from the centre, in any order.
 */
export function robustScale(deviations: Float64Array, length = deviations.length): number {
  const sizes = copied(deviations, 0, length);
  for (let at = 0; at < length; at++) sizes[at] = Math.abs(sizes[at] as number);
  const middle = medianInPlace(sizes, length);
  if (middle > 0) return middle * madFactor;
  let sum = 0;
  for (let at = 0; at < length; at++) sum += Math.abs(deviations[at] as number);
  return (sum / length) * meanFactor;
}

/** The quartile coefficient of dispersion (Q3 - Q1) / (Q3 + Q1) (Bonett 2006). NaN when the quartiles cancel. */
export function quartileDispersion(low: number, high: number): number {
  return low + high === 0 ? Number.NaN : (high - low) / Math.abs(high + low);
}

export { madFactor };

/** Fewest values of a group, its least share, and the least distance of both medians in robust standard deviations. */
const [fewest, leastShare, leastDistance] = [4, 0.1, 6];

/**
 * The limit between two groups of values far apart: that with the least sum of squares within groups (Fisher 1958),
 * which values of the lower group do not exceed. null: the groups are not far enough apart for their scatter, one is
 * too small, or values of a group repeat as those of a coarse clock do. Halves of normal values have a distance of 2.3.
 */
export function splitInTwo(values: Float64Array): number | null {
  const sorted = Float64Array.from(values).sort();
  const count = leastSquaresCut(sorted);
  const groups = [sorted.subarray(0, count), sorted.subarray(count)] as const;
  if (groups.some(({ length }) => length < Math.max(fewest, leastShare * sorted.length))) return null;
  const [low, high] = groups.map(median) as [number, number];
  const scales = [scaleAbout(groups[0], low), scaleAbout(groups[1], high)];
  if (!scales.every((scale) => scale > 0 && high - low >= leastDistance * scale)) return null;
  return sorted[count - 1] as number;
}

function scaleAbout(values: Float64Array, middle: number): number {
  return madFactor * median(values.map((value) => Math.abs(value - middle)));
}

/** The number of lower values for which the groups have the least sum of squares. */
function leastSquaresCut(sorted: Float64Array): number {
  const total = sorted.reduce((sum, value) => sum + value, 0);
  let [best, cut, below] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (let count = 1; count < sorted.length; count++) {
    below += sorted[count - 1] as number;
    const between = below ** 2 / count + (total - below) ** 2 / (sorted.length - count);
    if (between > best) [best, cut] = [between, count];
  }
  return cut;
}
