/** Numbers of inverted and of equal pairs, counted by merge sort in n log n steps. */
export interface Inversions {
  /** Pairs i < j with values[i] > values[j]. */
  readonly descending: number;
  /** Pairs of equal values. */
  readonly equal: number;
  /** Sizes of groups of at least two equal values. */
  readonly ties: readonly number[];
}

export function inversions(values: Float64Array): Inversions {
  const sorted = Float64Array.from(values);
  const descending = sortCounting(sorted, new Float64Array(values.length));
  const ties: number[] = [];
  for (let from = 0, to = 1; to <= sorted.length; to++) {
    if (sorted[to] === sorted[from]) continue;
    if (to - from > 1) ties.push(to - from);
    from = to;
  }
  return { descending, equal: ties.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0), ties };
}

/** Bottom up, without recursion. */
function sortCounting(values: Float64Array, space: Float64Array): number {
  let count = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start + width < values.length; start += 2 * width) {
      count += merge(values, space, start, start + width, Math.min(start + 2 * width, values.length));
    }
  }
  return count;
}

function merge(values: Float64Array, space: Float64Array, start: number, middle: number, end: number): number {
  let count = 0;
  for (let left = start, right = middle, at = start; at < end; at++) {
    const takesRight = left >= middle || (right < end && (values[right] as number) < (values[left] as number));
    if (takesRight) count += middle - left;
    space[at] = values[takesRight ? right++ : left++] as number;
  }
  values.set(space.subarray(start, end), start);
  return count;
}
