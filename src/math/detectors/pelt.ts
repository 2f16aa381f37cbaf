/**
 * Where the mean of a series changes: the first place of every new level, ascending. The split is the exact optimum of the sum of squared
 * deviations from the means of the pieces, plus `penalty` for each change, with at least `shortest` values in a piece. PELT (Killick,
 * Fearnhead and Eckley 2012, "Optimal Detection of Changepoints With a Linear Computational Cost"): as good as linear where changes come at
 * intervals, quadratic where there are none. Values are finite.
 */
export function pelt(values: Float64Array, penalty: number, shortest = 1): number[] {
  const last = lastPieces(values, penalty, Math.max(1, shortest));
  const found: number[] = [];
  for (let end = last[values.length] ?? 0; end > 0; end = last[end] ?? 0) found.push(end);
  return found.reverse();
}

/** Later than any end. */
const never = 2 ** 31 - 1;

/** Where the last piece of the best split of the first i values begins. All in one function with plain arrays: nothing else here takes time. */
function lastPieces(values: Float64Array, penalty: number, shortest: number): Int32Array {
  const length = values.length + 1;
  const [sums, squares] = runningSums(values);
  const best = new Float64Array(length).fill(Infinity);
  const last = new Int32Array(length);
  // Places where the last piece may begin, what that costs, and from which end on it cannot any more.
  const [starts, until, costs] = [new Int32Array(length), new Int32Array(length), new Float64Array(length)];
  best[0] = -penalty;
  for (let end = shortest, count = 0; end < length; end++) {
    if ((best[end - shortest] as number) < Infinity) {
      starts[count] = end - shortest;
      until[count++] = never;
    }
    const [sum, square] = [sums[end] as number, squares[end] as number];
    let [least, from] = [Infinity, 0];
    for (let i = 0; i < count; i++) {
      const start = starts[i] as number;
      const own = sum - (sums[start] as number);
      const deviation = square - (squares[start] as number) - (own * own) / (end - start);
      const cost = (best[start] as number) + (deviation > 0 ? deviation : 0);
      costs[i] = cost;
      if (cost < least) [least, from] = [cost, start];
    }
    best[end] = least + penalty;
    last[end] = from;
    // A piece that begins where splitting at `end` was better never wins again, once a piece from `end` on is long enough.
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const isBeaten = (costs[i] as number) > least + penalty && until[i] === never;
      if (isBeaten) until[i] = end + shortest;
      if ((until[i] as number) <= end + 1) continue;
      if (kept < i) [starts[kept], until[kept]] = [starts[i] as number, until[i] as number];
      kept += 1;
    }
    count = kept;
  }
  return last;
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
