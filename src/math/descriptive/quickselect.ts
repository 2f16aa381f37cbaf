/** Shorter ranges are sorted by insertion. */
const few = 12;

/**
 * The value of `rank`, from 0, in ascending order. Partitions `values` in place: smaller ones before it, greater ones
 * after it. No value is NaN. Hoare's "Find" (1961), linear on average; degenerate input is sorted.
 */
export function selected(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  for (let rounds = 2 * Math.log2(values.length + 1); high - low > few; rounds--) {
    if (rounds < 0) return values.subarray(low, high + 1).sort()[rank - low] as number;
    const pivot = middleOfThree(values[low] as number, values[(low + high) >> 1] as number, values[high] as number);
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] as number) < pivot) left++;
      while ((values[right] as number) > pivot) right--;
      if (left > right) break;
      const value = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = value;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else return values[rank] as number;
  }
  for (let i = low + 1; i <= high; i++) {
    const value = values[i] as number;
    let at = i;
    for (; at > low && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  return values[rank] as number;
}

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** The median; reorders the values. NaN when empty or when a value is NaN. */
export function medianInPlace(values: Float64Array): number {
  const { length } = values;
  if (length === 0) return Number.NaN;
  for (let at = 0; at < length; at++) if (Number.isNaN(values[at])) return Number.NaN;
  const rank = (length - 1) >> 1;
  const left = selected(values, rank);
  if (length % 2 === 1) return left;
  let right = Infinity;
  for (let at = rank + 1; at < length; at++) right = Math.min(right, values[at] as number);
  return left === right ? left : left + (right - left) * 0.5;
}
