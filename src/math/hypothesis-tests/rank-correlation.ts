import { studentTail } from "../distributions/index.ts";

/**
 * One-sided p of a positive rank correlation of values at equal positions (Spearman 1904), by Student's approximation.
 * 1 for fewer than three positions, and if a sample is constant. Both samples have the same length.
 */
export function correlationTest(a: Float64Array, b: Float64Array): number {
  const count = a.length;
  if (count < 3) return 1;
  const correlation = correlationOf(ranksOf(a), ranksOf(b));
  if (Number.isNaN(correlation) || correlation <= 0) return 1;
  if (correlation >= 1) return 0;
  return studentTail(correlation * Math.sqrt((count - 2) / (1 - correlation ** 2)), count - 2);
}

/** Mean ranks of equal values. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((x, y) => values[x]! - values[y]!);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (let at = from; at < to; at++) ranks[order[at]!] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}

function correlationOf(a: Float64Array, b: Float64Array): number {
  const middle = (a.length - 1) / 2;
  let [products, left, right] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at]! - middle, b[at]! - middle];
    products += x * y;
    left += x * x;
    right += y * y;
  }
  return products / Math.sqrt(left * right);
}
