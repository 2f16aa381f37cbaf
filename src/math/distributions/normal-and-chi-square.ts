const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** P(Z > z) of the standard normal distribution, to about 13 digits, also in the tail. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  return z < 3 ? 0.5 - density(z) * centralSeries(z) : density(z) / tailFraction(z);
}

/** z + z³/3 + z⁵/15 + … (Abramowitz and Stegun 26.2.11). */
function centralSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; term > 1e-17 * sum; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return sum;
}

/** z + 1/(z + 2/(z + 3/(z + …))) (Abramowitz and Stegun 26.2.14). */
function tailFraction(z: number): number {
  let fraction = z;
  for (let k = 100; k > 0; k--) fraction = z + k / fraction;
  return fraction;
}

/** The p-quantile (0 < p < 1) of the standard normal distribution, to about 12 digits, by bisection. */
export function normalQuantile(p: number): number {
  if (p < 0.5) return -normalQuantile(1 - p);
  let [low, high] = [0, 40];
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (normalTail(middle) > 1 - p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * P(X > x) of the chi-square distribution with `freedom` (a positive integer) degrees of freedom: closed forms for one
 * and two, otherwise the recurrence of Abramowitz and Stegun 26.4.8, in freedom / 2 steps.
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

/** The upper quantile: x with P(X > x) = `tail` (0 < tail < 1), by bisection. */
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
