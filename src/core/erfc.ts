/*
 * Abramowitz & Stegun's two expansions: 7.1.6, a series without cancellation, near zero, and the continued
 * fraction 7.1.14 where the series would leave nothing of 1 - erf(x).
 */
const border = 1;
const fractionSteps = 400;

/** The complementary error function, to a relative error below 1e-13 as far as it is a normal number. */
export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x < -border) return 2 - erfc(-x);
  return x < border ? 1 - erfBySeries(x) : erfcByFraction(x);
}

function erfBySeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * Number.EPSILON * 0.1; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

function erfcByFraction(x: number): number {
  if (x === Infinity) return 0;
  let tail = x;
  for (let n = fractionSteps; n >= 1; n--) tail = x + n / 2 / tail;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail);
}
