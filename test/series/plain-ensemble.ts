import { studentQuantile, studentTail } from "../../src/math/distributions/student-t.ts";

/* A reference implementation of the default detector, without optimisations. */

export interface PlainChange {
  readonly index: number;
  readonly before: number;
  readonly after: number;
  readonly p: number;
}

const shortest = 3;

export function plainEnsemble(values: readonly number[], level: number): PlainChange[] {
  const n = values.length;
  if (n < 2 * shortest) return [];
  const clipped = pulledIn(values);
  const scale = scaleOf(clipped.slice(1).map((value, at) => value - (clipped[at] as number))) / Math.SQRT2;
  let changes = scale > 0 ? plainPelt(clipped, 2.4 * scale * scale * Math.log(n), shortest) : [];
  const limit = studentQuantile(1 - level / (2 * n), n - 1);
  for (;;) {
    const strengths = strengthsOf(clipped, changes, limit);
    const least = Math.min(...strengths);
    const cluster = changes.findIndex((_, at) => isCluster(values, changes, at));
    if (!(least < 1) && cluster < 0) {
      return changes.map((index, at) => ({
        index,
        before: middle(values.slice(changes[at - 1] ?? 0, index)),
        after: middle(values.slice(index, changes[at + 1] ?? n)),
        p: Math.min(1, 2 * n * studentTail((strengths[at] as number) * limit, n - 1)),
      }));
    }
    changes = changes.filter((_, at) => at !== (least < 1 ? strengths.indexOf(least) : cluster));
  }
}

/** Whether the shorter level next to a change is explained by outliers at the rate of the longer one. */
function isCluster(values: readonly number[], changes: readonly number[], at: number): boolean {
  const cut = changes[at] as number;
  const sides = [values.slice(changes[at - 1] ?? 0, cut), values.slice(cut, changes[at + 1] ?? values.length)];
  const [short, long] = sides[0]!.length > sides[1]!.length ? [sides[1]!, sides[0]!] : [sides[0]!, sides[1]!];
  const [usual, other] = [middle(long), middle(short)];
  const beyond = (level: readonly number[]): number =>
    level.filter((value) => Math.sign(other - usual) * (value - usual / 2 - other / 2) > 0).length;
  const rate = (beyond(long) + 0.5) / (long.length + 1);
  // The distribution of the number of outliers, value by value.
  let chances = [1];
  for (const _ of short)
    chances = Array.from({ length: chances.length + 1 }, (__, hits) => {
      return (chances[hits] ?? 0) * (1 - rate) + (chances[hits - 1] ?? 0) * rate;
    });
  const tail = chances.slice(beyond(short)).reduce((sum, chance) => sum + chance, 0);
  return values.length * tail > 0.05;
}

/**
 * The optimal split by trying every last segment, in quadratic time. Uses running sums, so that ties break as in the
 * program.
 */
export function plainPelt(values: readonly number[], penalty: number, shortest: number): number[] {
  const centre = values.reduce((sum, value) => sum + value / values.length, 0);
  const [sums, squares] = [[0], [0]];
  for (const value of values) {
    sums.push((sums.at(-1) as number) + value - centre);
    squares.push((squares.at(-1) as number) + (value - centre) ** 2);
  }
  const [best, last] = [[-penalty], [0]];
  for (let end = 1; end <= values.length; end++) {
    let [least, from] = [Infinity, 0];
    for (let start = 0; start <= end - shortest; start++) {
      const own = (sums[end] as number) - (sums[start] as number);
      const deviation = (squares[end] as number) - (squares[start] as number) - (own * own) / (end - start);
      const cost = (best[start] as number) + Math.max(0, deviation);
      if (cost < least) [least, from] = [cost, start];
    }
    best.push(least + penalty);
    last.push(from);
  }
  const found: number[] = [];
  for (let end = last[values.length] ?? 0; end > 0; end = last[end] ?? 0) found.push(end);
  return found.reverse();
}

function pulledIn(values: readonly number[]): number[] {
  const middles = values.map((_, at) => {
    const from = Math.max(0, Math.min(at - 3, values.length - 7));
    return middle(values.slice(from, from + 7));
  });
  const away = values.map((value, at) => value - (middles[at] as number));
  const limit = 3.5 * 1.15 * scaleOf(away);
  return away.map((distance, at) => (middles[at] as number) + Math.max(-limit, Math.min(limit, distance)));
}

function scaleOf(deviations: readonly number[]): number {
  const sizes = deviations.map(Math.abs);
  const own = middle(sizes);
  return own > 0 ? own * 1.482602218505602 : mean(sizes) * 1.2533141373155003;
}

function strengthsOf(values: readonly number[], changes: readonly number[], limit: number): number[] {
  const n = values.length;
  const bounds = [0, ...changes, n];
  const levels = bounds.slice(1).map((end, at) => values.slice(bounds[at], end));
  const means = levels.map(mean);
  const rests = levels.map((level, at) => level.map((value) => value - (means[at] as number)));
  const power = (k: number): number => rests.flat().reduce((sum, rest) => sum + rest ** k, 0) / n;
  const freedom = Math.max(1, n - levels.length);
  const products = rests
    .flatMap((rest) => rest.slice(1).map((value, at) => value * (rest[at] as number)))
    .reduce((a, b) => a + b, 0);
  const found = power(2) > 0 ? products / freedom / power(2) : 0;
  const r = power(2) > 0 ? Math.max(0, Math.min(0.95, found + ((1 + 3 * found) * levels.length) / n)) : 0;
  const hasShape = power(2) ** 2 > 0 && power(2) ** 2 < Infinity;
  const skewness = hasShape ? power(3) / power(2) ** 1.5 : 0;
  const excess = hasShape ? Math.max(0, power(4) / power(2) ** 2 - 3) : 0;
  const errorOf = (count: number): number => {
    const growth = (1 + r) / (1 - r) - (2 * r * (1 - r ** count)) / (count * (1 - r) ** 2);
    return (((power(2) * n) / freedom) * growth) / count;
  };
  return changes.map((change, at) => {
    const [left, right] = [change - (bounds[at] as number), (bounds[at + 2] as number) - change];
    const difference = (means[at + 1] as number) - (means[at] as number);
    const skew = Math.max(
      0,
      (Math.sign(difference) * skewness * (right ** -2 - left ** -2)) / (1 / left + 1 / right) ** 1.5,
    );
    const tails = (excess * (left ** -3 + right ** -3)) / (1 / left + 1 / right) ** 2;
    const needed = limit + (skew * (limit ** 2 - 1)) / 6 + (0.2 * tails * (limit ** 3 - 3 * limit)) / 24;
    return Math.abs(difference) / Math.sqrt(errorOf(left) + errorOf(right)) / needed;
  });
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
