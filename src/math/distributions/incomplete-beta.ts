/** The regularised incomplete beta function I_x(a, b) by the continued fraction of Abramowitz and Stegun 26.5.8. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return (front * betaFraction(x, a, b)) / a;
}

/** The probability of at least `least` successes in `count` trials, each with this probability. */
export function binomialTail(least: number, count: number, probability: number): number {
  return least <= 0 ? 1 : incompleteBeta(probability, least, count - least + 1);
}

/** Lentz's evaluation, as modified by Thompson and Barnett. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    const before = result;
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      result *= c * d;
    }
    if (Math.abs(result - before) <= 1e-16 * Math.abs(result)) break;
  }
  return result;
}

/** ln Γ(z) for z > 0 by Stirling's series (A&S 6.1.41) after shifting the argument above 15. */
function logGamma(z: number): number {
  let shift = 0;
  let x = z;
  for (; x < 15; x++) shift += Math.log(x);
  const inverse = 1 / (x * x);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / x;
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - shift;
}
