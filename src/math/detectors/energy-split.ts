/** The best split of a piece of a series. */
export interface EnergySplit {
  /** First value of the right side. */
  readonly at: number;
  /** Q of the two sides; -Infinity where there is nothing to split. */
  readonly distance: number;
}

/**
 * The split of values[from, to) whose sides differ most by the energy distance Q of Matteson and James, "A
 * Nonparametric Approach for Multiple Change Point Analysis" (2014), equation 7 with exponent 1: left side [from, at),
 * right side [at, end), over all `at` and all `end`, because a later change would hide one in the whole of the rest. Of
 * equals the leftmost, then the one with the shortest right side. Quadratic in time, linear in memory.
 */
export function energySplit(values: Float64Array, from: number, to: number): EnergySplit {
  const length = to - from;
  if (length < 2) return { at: from, distance: Number.NEGATIVE_INFINITY };
  const piece = values.subarray(from, to);
  const within = withinSums(piece);
  const right = new Float64Array(length + 1);
  let best: EnergySplit = { at: from, distance: Number.NEGATIVE_INFINITY };
  for (let at = length - 1; at > 0; at--) {
    extendLeft(piece, right, at);
    const found = bestEnd(within, right, at, length);
    if (found >= best.distance) best = { at: from + at, distance: found };
  }
  return best;
}

/** Of the first i values: the sum of the distances between all pairs. */
function withinSums(piece: Float64Array): Float64Array {
  const sums = new Float64Array(piece.length + 1);
  for (let i = 0; i < piece.length; i++) {
    const value = piece[i] as number;
    let sum = 0;
    for (let j = 0; j < i; j++) sum += Math.abs(value - (piece[j] as number));
    sums[i + 1] = (sums[i] as number) + sum;
  }
  return sums;
}

/** Makes `right[end]`, the sum of the distances within [at + 1, end), that within [at, end). */
function extendLeft(piece: Float64Array, right: Float64Array, at: number): void {
  const value = piece[at] as number;
  let sum = 0;
  for (let end = at + 2; end <= piece.length; end++) {
    sum += Math.abs(value - (piece[end - 1] as number));
    right[end] = (right[end] as number) + sum;
  }
}

function bestEnd(within: Float64Array, right: Float64Array, n: number, length: number): number {
  const left = within[n] as number;
  let best = Number.NEGATIVE_INFINITY;
  for (let end = n + 1; end <= length; end++) {
    const m = end - n;
    const between = (within[end] as number) - left - (right[end] as number);
    const inLeft = n === 1 ? 0 : (m * left) / (n - 1);
    const inRight = m === 1 ? 0 : (n * (right[end] as number)) / (m - 1);
    best = Math.max(best, (2 / end) * (between - inLeft - inRight));
  }
  return best;
}
