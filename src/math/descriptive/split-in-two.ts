import { median } from "./quantile.ts";
import { madFactor } from "./robust-statistics.ts";

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
