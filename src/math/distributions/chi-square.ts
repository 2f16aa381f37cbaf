import { normalTail } from "./normal.ts";

/**
 * P(X > x) of the chi-square distribution with `freedom` (a positive integer) degrees of freedom: closed forms for one
 * and two, and the recurrence of Abramowitz and Stegun 26.4.8 from there on. It takes freedom / 2 steps.
 */
export function chiSquareTail(x: number, freedom: number): number {
  if (!(x > 0)) return 1;
  if (x === Infinity) return 0;
  const half = x / 2;
  const isOdd = freedom % 2 === 1;
  let tail = isOdd ? 2 * normalTail(Math.sqrt(x)) : Math.exp(-half);
  let term = Math.exp(-half) * (isOdd ? 2 * Math.sqrt(half / Math.PI) : half);
  for (let k = isOdd ? 1 : 2; k < freedom; k += 2) {
    tail += term;
    term *= half / (k / 2 + 1);
  }
  return tail;
}

/**
 * The x above which a share `tail` (0..1, without the ends) of the distribution lies: bisection on the tail, which is
 * monotone.
 */
export function chiSquareUpper(tail: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (chiSquareTail(high, freedom) > tail) high *= 2;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (chiSquareTail(middle, freedom) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
