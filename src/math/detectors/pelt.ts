/** Rounding that sums of squares may have for each value, as a share of the greatest of them. */
const rounding = 2 ** -48;

/**
 * The search for the split at the least cost. For each end it knows what the best split up to there costs, and where
 * its last piece begins. Places where a last piece may begin are let go when they can win no more, in two ways: when to
 * split there instead was better at once, and when no mean of the piece is left for which the place is the best. For
 * the difference of the costs of two places is a parabola in that mean that later values do not move: in one interval
 * of means the earlier place is better, outside of it the later one. Of each place an interval that holds all its means
 * is kept, and a hole in it. Rounding never costs a place that could win: intervals are a little wide, holes a little
 * narrow.
 */
class LastSegments {
  /** How long series may be. */
  readonly most: number;
  /** Running sums of the values and of their squares, less their mean. */
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  /** By end: the cost of the best split up to there (Infinity: there is none), and the beginning of its last piece. */
  readonly #best: Float64Array;
  readonly #last: Int32Array;
  /** Where the last piece may begin, and by that place its interval and hole. */
  readonly #starts: Int32Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #holeLow: Float64Array;
  readonly #holeHigh: Float64Array;

  constructor(most: number) {
    this.most = most;
    const [numbers, places] = [
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
    [this.#last, this.#starts] = [places(), places()];
  }

  /** First places of the pieces but the first, ascending, of `values`: at most `most`. */
  places(values: Float64Array, penalty: number, shortest: number): number[] {
    const { length } = values;
    this.#sum(values);
    const [best, last, starts] = [this.#best, this.#last, this.#starts];
    const slack = rounding * length * (this.#squares[length] as number);
    best.fill(Infinity, 1, Math.min(shortest, length + 1));
    best[0] = -penalty;
    last[length] = 0;
    for (let end = shortest, count = 0; end <= length; end++) {
      const place = end - shortest;
      if ((best[place] as number) < Infinity) {
        count = this.#narrow(count, place, shortest, slack);
        starts[count++] = place;
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

  /** The first of the places from which a piece up to `end` costs least. */
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

  /**
   * A later place joins the `count` others: lets go of those that it leaves without means, and tells how many there are
   * left.
   */
  #narrow(count: number, place: number, shortest: number, slack: number): number {
    const [sums, squares, best, starts, low, high] = [
      this.#sums,
      this.#squares,
      this.#best,
      this.#starts,
      this.#low,
      this.#high,
    ];
    const [holeLow, holeHigh] = [this.#holeLow, this.#holeHigh];
    const sum = sums[place] as number;
    const square = squares[place] as number;
    const cost = best[place] as number;
    [low[place], high[place], holeLow[place], holeHigh[place]] = [
      Number.NEGATIVE_INFINITY,
      Infinity,
      Infinity,
      Number.NEGATIVE_INFINITY,
    ];
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const start = starts[i] as number;
      const length = place - start;
      const own = sum - (sums[start] as number);
      const deviation = square - (squares[start] as number) - (own * own) / length;
      const without = (best[start] as number) + (deviation > 0 ? deviation : 0);
      // What is too short for a piece has a cost all the same, but no other split to be compared with to the last bit.
      if (without > (length < shortest ? cost + slack : cost)) continue;
      const mean = own / length;
      // Squares of the distance from that mean up to which the earlier place is the better one: at most, and surely.
      const most = Math.max(0, cost - without + slack) / length;
      const least = (cost - without - slack) / length;
      let from = low[start] as number;
      let to = high[start] as number;
      if (mean > from && (mean - from) ** 2 > most) from = mean - Math.sqrt(most);
      if (mean < to && (to - mean) ** 2 > most) to = mean + Math.sqrt(most);
      if (from >= (holeLow[start] as number) && from < (holeHigh[start] as number)) from = holeHigh[start] as number;
      if (to <= (holeHigh[start] as number) && to > (holeLow[start] as number)) to = holeLow[start] as number;
      if (least > 0) this.#dig(place, mean, Math.sqrt(least));
      if (from > to) continue;
      low[start] = from;
      high[start] = to;
      starts[kept++] = start;
    }
    return kept;
  }

  /**
   * Means about which an earlier place is better: one hole with what was dug before where they meet, else the wider
   * one.
   */
  #dig(place: number, mean: number, reach: number): void {
    const from = mean - reach;
    const to = mean + reach;
    const left = this.#holeLow[place] as number;
    const right = this.#holeHigh[place] as number;
    const isOne = from <= right && to >= left;
    if (!isOne && to - from <= right - left) return;
    this.#holeLow[place] = isOne && left < from ? left : from;
    this.#holeHigh[place] = isOne && right > to ? right : to;
  }
}

/** Used again and again: making arrays would take as long as what is done with them. */
let room = new LastSegments(0);

/**
 * Where the mean of a series changes: the first place of every new level, ascending. The split is the exact optimum of
 * the sum of squared deviations from the means of the pieces, plus `penalty` for each change, with at least `shortest`
 * values in a piece. PELT (Killick, Fearnhead and Eckley 2012, "Optimal Detection of Changepoints With a Linear
 * Computational Cost") with functional pruning (Maidstone, Hocking, Rigaill and Fearnhead 2017, "On optimal multiple
 * changepoint algorithms for large data"), which leaves a handful of places where the last piece may begin: about
 * linear, with and without changes. Values are finite.
 */
export function pelt(values: Float64Array, penalty: number, shortest = 1): number[] {
  if (values.length > room.most) room = new LastSegments(Math.max(values.length, 2 * room.most));
  return room.places(values, penalty, Math.max(1, shortest));
}
