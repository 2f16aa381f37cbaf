/**
 * Of pieces of a series: the median, and the sum of distances from it. Those of the shortest pieces are made together
 * when this is made, the others when they are asked for, and kept.
 */
export class MedianCosts {
  readonly #values: Float64Array;
  readonly #reach: number;
  /** Cost of the piece of k + 1 values that ends with value i, at i * reach + k. */
  readonly #short: Float64Array;
  readonly #kept = new Map<number, Piece>();

  /** `reach`: how many values the shortest pieces have at most. */
  constructor(values: Float64Array, reach: number) {
    this.#values = values;
    this.#reach = reach;
    this.#short = shortCosts(values, reach);
  }

  /** The sum of distances of values[from, to) from their median. */
  cost(from: number, to: number): number {
    const length = to - from;
    if (length <= this.#reach) return this.#short[(to - 1) * this.#reach + length - 1] as number;
    return this.#piece(from, to).cost;
  }

  median(from: number, to: number): number {
    return this.#piece(from, to).median;
  }

  #piece(from: number, to: number): Piece {
    const key = from * (this.#values.length + 1) + to;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const made = pieceOf(this.#values.slice(from, to).sort());
    this.#kept.set(key, made);
    return made;
  }
}

interface Piece {
  readonly median: number;
  readonly cost: number;
}

function pieceOf(sorted: Float64Array): Piece {
  const median = middleOf(sorted, sorted.length);
  let cost = 0;
  for (const value of sorted) cost += Math.abs(value - median);
  return { median, cost };
}

function middleOf(sorted: Float64Array, length: number): number {
  const half = length >> 1;
  return length % 2 === 1 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

/** Goes back from every value, keeping those passed in order. */
function shortCosts(values: Float64Array, reach: number): Float64Array {
  const costs = new Float64Array(values.length * reach);
  const sorted = new Float64Array(reach);
  for (let end = 0; end < values.length; end++) {
    for (let length = 1; length <= Math.min(reach, end + 1); length++) {
      insert(sorted, length - 1, values[end - length + 1] as number);
      costs[end * reach + length - 1] = costOf(sorted, length);
    }
  }
  return costs;
}

function insert(sorted: Float64Array, length: number, value: number): void {
  let at = length;
  for (; at > 0 && (sorted[at - 1] as number) > value; at--) sorted[at] = sorted[at - 1] as number;
  sorted[at] = value;
}

/** The values above the median less those below it. */
function costOf(sorted: Float64Array, length: number): number {
  let cost = 0;
  for (let i = 0; i < length >> 1; i++) cost += (sorted[length - 1 - i] as number) - (sorted[i] as number);
  return cost;
}
