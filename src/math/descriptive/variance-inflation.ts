/** Below so many values nothing can be said of how they hang together. */
const fewest = 20;

/**
 * By how much the variance of a mean grows since each value depends on the one before it: (1 + r) / (1 - r) of the
 * first autocorrelation r, as for an autoregressive process of order one (Bayley and Hammersley 1946), with r corrected
 * for its bias (Marriott and Pope 1954). 1 where r is not beyond what independent values have by chance (2 / √n), or
 * where there are fewer than 20. `residuals` have no level any more.
 */
export function varianceInflation(residuals: Float64Array): number {
  const n = residuals.length;
  if (n < fewest) return 1;
  let [products, squares] = [0, 0];
  for (let at = 0; at < n; at++) {
    squares += (residuals[at] as number) ** 2;
    if (at > 0) products += (residuals[at] as number) * (residuals[at - 1] as number);
  }
  const found = products / squares;
  if (!(found > 2 / Math.sqrt(n))) return 1;
  const r = Math.min(0.99, found + (1 + 3 * found) / n);
  return (1 + r) / (1 - r);
}
