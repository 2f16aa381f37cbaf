/**
 * Where the mean of a series changes: the first place of every new level, ascending. The split is the exact optimum of the sum of squared
 * deviations from the means of the pieces, plus `penalty` for each change, with at least `shortest` values in a piece. PELT (Killick,
 * Fearnhead and Eckley 2012, "Optimal Detection of Changepoints With a Linear Computational Cost"): as good as linear where changes come at
 * intervals, quadratic where there are none. Values are finite.
 */
export function changePoints(values: Float64Array, penalty: number, shortest = 1): number[] {
  const search = new Search(values, penalty, Math.max(1, shortest));
  for (let end = search.shortest; end <= values.length; end++) search.extend(end);
  return search.changes();
}

class Search {
  readonly shortest: number;
  readonly #penalty: number;
  readonly #length: number;
  /** Of the first i values, less their mean: the sum and the sum of squares. */
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  /** The least cost of the first i values, and where their last piece begins. */
  readonly #best: Float64Array;
  readonly #last: Int32Array;
  /** Where the last piece may begin, and from which end on it cannot any more. */
  #starts: { readonly at: number; until: number }[] = [];

  constructor(values: Float64Array, penalty: number, shortest: number) {
    this.shortest = shortest;
    this.#penalty = penalty;
    this.#length = values.length;
    [this.#sums, this.#squares] = runningSums(values);
    this.#best = new Float64Array(values.length + 1).fill(Infinity);
    this.#last = new Int32Array(values.length + 1);
    this.#best[0] = -penalty;
  }

  /** Finds the best split of the first `end` values. */
  extend(end: number): void {
    const start = end - this.shortest;
    if ((this.#best[start] as number) < Infinity) this.#starts.push({ at: start, until: Infinity });
    let [least, from] = [Infinity, 0];
    for (const { at } of this.#starts) {
      const cost = (this.#best[at] as number) + this.#cost(at, end) + this.#penalty;
      if (cost < least) [least, from] = [cost, at];
    }
    this.#best[end] = least;
    this.#last[end] = from;
    this.#prune(end);
  }

  /** A piece that begins where splitting at `end` was better never wins again, once a piece from `end` on is long enough. */
  #prune(end: number): void {
    for (const start of this.#starts) {
      const cost = (this.#best[start.at] as number) + this.#cost(start.at, end);
      if (cost > (this.#best[end] as number)) start.until = Math.min(start.until, end + this.shortest);
    }
    this.#starts = this.#starts.filter(({ until }) => until > end + 1);
  }

  #cost(from: number, to: number): number {
    const sum = (this.#sums[to] as number) - (this.#sums[from] as number);
    const squares = (this.#squares[to] as number) - (this.#squares[from] as number);
    return Math.max(0, squares - (sum * sum) / (to - from));
  }

  changes(): number[] {
    const found: number[] = [];
    for (let end = this.#last[this.#length] ?? 0; end > 0; end = this.#last[end] ?? 0) found.push(end);
    return found.reverse();
  }
}

function runningSums(values: Float64Array): [Float64Array, Float64Array] {
  const sums = new Float64Array(values.length + 1);
  const squares = new Float64Array(values.length + 1);
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  values.forEach((value, at) => {
    sums[at + 1] = (sums[at] as number) + value - mean;
    squares[at + 1] = (squares[at] as number) + (value - mean) ** 2;
  });
  return [sums, squares];
}
