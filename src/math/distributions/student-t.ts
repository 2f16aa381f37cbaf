import { incompleteBeta } from "./incomplete-beta.ts";

/**
 * Cache by degrees of freedom, then p: many series have the same length, and a quantile takes as long as the rest of
 * their evaluation.
 */
const known = new Map<number, Map<number, number>>();

/** Maximum size of the cache. */
const mostKnown = 1000;

/**
 * The p-quantile (0 < p < 1) of Student's t distribution with `freedom` > 0 degrees of freedom, to about 12 digits, by
 * bisection.
 */
export function studentQuantile(p: number, freedom: number): number {
  if (p === 0.5) return 0;
  if (p < 0.5) return -studentQuantile(1 - p, freedom);
  const own = known.get(freedom) ?? new Map<number, number>();
  const found = own.get(p) ?? upperQuantile(p, freedom);
  if (known.size >= mostKnown || own.size >= mostKnown) known.clear();
  known.set(freedom, own.set(p, found));
  return found;
}

function upperQuantile(p: number, freedom: number): number {
  let low = 0;
  let high = 1;
  while (1 - studentTail(high, freedom) < p) high *= 2;
  for (let i = 0; i < 200 && high - low > 1e-14 * high; i++) {
    const middle = (low + high) / 2;
    if (1 - studentTail(middle, freedom) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(T > t) for t >= 0, without loss of precision for small values. 0 for an infinite t. */
export function studentTail(t: number, freedom: number): number {
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}
