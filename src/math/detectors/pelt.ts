/** Rounding error of sums of squares per value, relative to the greatest of them. */
const rounding = 2 ** -48;

/**
 * The optimal partition by dynamic programming: for each end, the cost of the best split up to it and the start of its
 * last segment. Candidate starts are pruned in two ways: if splitting there was already better (PELT), and if no mean
 * of the last segment is left for which the start is optimal (functional pruning). The cost difference of two starts is
 * a parabola in that mean, unaffected by later values: the earlier start is better inside of one interval of means, the
 * later one outside. Each start keeps an interval that covers its means, with one hole. Rounding never prunes an
 * optimal start: intervals are slightly wide, holes slightly narrow.
 */
class LastSegments {
  /** Maximum length of series. */
  readonly most: number;
  /** Cumulative sums of the centred values and of their squares. */
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  /** By end: the cost of the best split up to it (Infinity: none), and the start of its last segment. */
  readonly #best: Float64Array;
  readonly #last: Int32Array;
  /** Candidate starts of the last segment, and by start its interval and hole. */
  readonly #starts: Int32Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #holeLow: Float64Array;
  readonly #holeHigh: Float64Array;

  constructor(most: number) {
    this.most = most;
    const [numbers, integers] = [
      (): Float64Array => new Float64Array(most + 1),
      (): Int32Array => new Int32Array(most + 1),
    ];
    [this.#sums, this.#squares, this.#best, this.#low, this.#high, this.#holeLow, this.#holeHigh] = [
      numbers(),
      numbers(),
      numbers(),
      numbers(),
      numbers(),
      numbers(),
      numbers(),
    ];
    [this.#last, this.#starts] = [integers(), integers()];
  }

  /** Starts of all segments of `values` but the first, ascending. At most `most` values. */
  starts(values: Float64Array, penalty: number, shortest: number): number[] {
    const { length } = values;
    this.#sum(values);
    const [best, last, starts] = [this.#best, this.#last, this.#starts];
    const slack = rounding * length * (this.#squares[length] as number);
    best.fill(Infinity, 1, Math.min(shortest, length + 1));
    best[0] = -penalty;
    last[length] = 0;
    for (let end = shortest, count = 0; end <= length; end++) {
      const position = end - shortest;
      if ((best[position] as number) < Infinity) {
        count = this.#narrow(count, position, shortest, slack);
        starts[count++] = position;
      }
      const from = this.#cheapest(count, end);
      best[end] = this.#cost(from, end) + penalty;
      last[end] = from;
    }
    const found: number[] = [];
    for (let end: number = last[length] ?? 0; end > 0; end = last[end]!) found.push(end);
    return found.reverse();
  }

  #sum(values: Float64Array): void {
    const [sums, squares] = [this.#sums, this.#squares];
    const { length } = values;
    let mean = 0;
    for (let at = 0; at < length; at++) mean += (values[at] as number) / length;
    for (let at = 0; at < length; at++) {
      const value = values[at] as number;
      sums[at + 1] = (sums[at] as number) + value - mean;
      squares[at + 1] = (squares[at] as number) + (value - mean) ** 2;
    }
  }

  #cost(start: number, end: number): number {
    const own = (this.#sums[end] as number) - (this.#sums[start] as number);
    const deviation = (this.#squares[end] as number) - (this.#squares[start] as number) - (own * own) / (end - start);
    return (this.#best[start] as number) + (deviation > 0 ? deviation : 0);
  }

  /** The first start with the least cost of a segment up to `end`. */
  #cheapest(count: number, end: number): number {
    const starts = this.#starts;
    let from = starts[0] as number;
    let least = this.#cost(from, end);
    for (let i = 1; i < count; i++) {
      const start = starts[i] as number;
      const cost = this.#cost(start, end);
      if (!(cost < least)) continue;
      least = cost;
      from = start;
    }
    return from;
  }

  /** Adds a start to the `count` others, prunes those without means left, and returns how many remain. */
  #narrow(count: number, position: number, shortest: number, slack: number): number {
    const [sums, squares, best] = [this.#sums, this.#squares, this.#best];
    const [starts, low, high] = [this.#starts, this.#low, this.#high];
    const [holeLow, holeHigh] = [this.#holeLow, this.#holeHigh];
    const sum = sums[position] as number;
    const square = squares[position] as number;
    const cost = best[position] as number;
    [low[position], high[position]] = [Number.NEGATIVE_INFINITY, Infinity];
    [holeLow[position], holeHigh[position]] = [Infinity, Number.NEGATIVE_INFINITY];
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const start = starts[i] as number;
      const length = position - start;
      const own = sum - (sums[start] as number);
      const deviation = square - (squares[start] as number) - (own * own) / length;
      const without = (best[start] as number) + (deviation > 0 ? deviation : 0);
      // Segments that are still too short are compared with slack: their cost is not exact to the last bit.
      if (without > (length < shortest ? cost + slack : cost)) continue;
      const mean = own / length;
      // Squared distance from that mean within which the earlier start is better: upper and lower bound.
      const most = Math.max(0, cost - without + slack) / length;
      const least = (cost - without - slack) / length;
      let from = low[start] as number;
      let to = high[start] as number;
      if (mean > from && (mean - from) ** 2 > most) from = mean - Math.sqrt(most);
      if (mean < to && (to - mean) ** 2 > most) to = mean + Math.sqrt(most);
      if (from >= (holeLow[start] as number) && from < (holeHigh[start] as number)) from = holeHigh[start] as number;
      if (to <= (holeHigh[start] as number) && to > (holeLow[start] as number)) to = holeLow[start] as number;
      if (least > 0) this.#dig(position, mean, Math.sqrt(least));
      if (from > to) continue;
      low[start] = from;
      high[start] = to;
      starts[kept++] = start;
    }
    return kept;
  }

  /** Adds means for which an earlier start is better to the hole: the union if they overlap, else the wider one. */
  #dig(position: number, mean: number, reach: number): void {
    const from = mean - reach;
    const to = mean + reach;
    const left = this.#holeLow[position] as number;
    const right = this.#holeHigh[position] as number;
    const isOne = from <= right && to >= left;
    if (!isOne && to - from <= right - left) return;
    this.#holeLow[position] = isOne && left < from ? left : from;
    this.#holeHigh[position] = isOne && right > to ? right : to;
  }
}

/** Reused: allocating the arrays would take as long as the search. */
let shared = new LastSegments(0);

/**
 * Changes of the mean of a series: the first index of every new level, ascending. The exact optimum of the sum of
 * squared deviations from the segment means plus `penalty` per change, with at least `shortest` values in a segment.
 * PELT (Killick, Fearnhead and Eckley 2012, "Optimal Detection of Changepoints With a Linear Computational Cost") with
 * functional pruning (Maidstone, Hocking, Rigaill and Fearnhead 2017, "On optimal multiple changepoint algorithms for
 * large data"), which leaves a handful of candidate starts: about linear time, with and without changes. Values are
 * finite.
 */
export function pelt(values: Float64Array, penalty: number, shortest = 1): number[] {
  if (values.length > shared.most) shared = new LastSegments(Math.max(values.length, 2 * shared.most));
  return shared.starts(values, penalty, Math.max(1, shortest));
}
