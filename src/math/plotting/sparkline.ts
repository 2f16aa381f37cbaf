import { median } from "../descriptive/quantile.ts";

/**
 * Values that differ by less than this share of their middle are drawn as if they differed by it, so that noise is no
 * mountain.
 */
const leastRange = 0.05;

/**
 * How high each column of a sparkline stands, from 0 to `steps` - 1, -1 where there is no finite value. Of more values
 * than columns those of a column stand as their median. All columns of a line share the scale of its least and greatest
 * values; a line without any difference is of middle height.
 */
export function sparkHeights(values: ArrayLike<number>, columns: number, steps: number): Int8Array {
  const shown = thinned(values, columns);
  const finite = shown.filter(Number.isFinite);
  if (finite.length === 0) return new Int8Array(shown.length).fill(-1);
  const [least, greatest] = [finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b))];
  // Halved first: the difference of the greatest numbers is none.
  const middle = least / 2 + greatest / 2;
  const half = Math.max(greatest / 2 - least / 2, (Math.abs(middle) * leastRange) / 2);
  return Int8Array.from(shown, (value) => {
    if (!Number.isFinite(value)) return -1;
    const at = half === 0 ? 0.5 : 0.5 + (value / 2 - middle / 2) / half;
    return Math.min(steps - 1, Math.max(0, Math.floor(at * steps)));
  });
}

function thinned(values: ArrayLike<number>, columns: number): Float64Array {
  const all = Float64Array.from(values);
  if (all.length <= columns) return all;
  return Float64Array.from({ length: columns }, (_, column) => {
    const ends = [column, column + 1].map((at) => Math.floor((at * all.length) / columns)) as [number, number];
    const own = all.slice(...ends).filter(Number.isFinite);
    return own.length === 0 ? Number.NaN : median(own);
  });
}
