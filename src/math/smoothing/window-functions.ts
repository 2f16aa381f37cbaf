/**
 * Symmetric windows over `count` points, in the middle 1 (unless noted): definitions and coefficients of Harris, "On
 * the use of windows for harmonic analysis" (1978), as scipy.signal.windows has them with sym=True. One point has
 * weight 1.
 */
export const windows: Readonly<Record<string, (count: number) => Float64Array>> = {
  boxcar: (count) => new Float64Array(count).fill(1),
  /** Without zeros at its ends; an even number of points has two in the middle below 1. */
  triang: (count) => {
    const half = count % 2 === 0 ? count : count + 1;
    return Float64Array.from(
      { length: count },
      (_, i) => (2 * Math.min(i + 1, count - i) - (count % 2 === 0 ? 1 : 0)) / half,
    );
  },
  blackman: cosines([0.42, 0.5, 0.08]),
  hamming: cosines([0.54, 0.46]),
  bartlett: (count) => over(count, (u) => 1 - Math.abs(u)),
  parzen: (count) =>
    Float64Array.from({ length: count }, (_, i) => {
      const u = Math.abs(i - (count - 1) / 2) / (count / 2);
      return u <= (count - 1) / 2 / count ? 1 - 6 * u * u * (1 - u) : 2 * (1 - u) ** 3;
    }),
  bohman: (count) =>
    over(count, (u) =>
      Math.abs(u) >= 1 ? 0 : (1 - Math.abs(u)) * Math.cos(Math.PI * u) + Math.sin(Math.PI * Math.abs(u)) / Math.PI,
    ),
  blackmanharris: cosines([0.35875, 0.48829, 0.14128, 0.01168]),
  nuttall: cosines([0.3635819, 0.4891775, 0.1365995, 0.0106411]),
  barthann: (count) => over(count, (u) => 0.62 - 0.48 * Math.abs(u / 2) + 0.38 * Math.cos(Math.PI * u)),
};

/** A function of the place between -1 and 1. */
function over(count: number, weight: (u: number) => number): Float64Array {
  if (count === 1) return Float64Array.of(1);
  return Float64Array.from({ length: count }, (_, i) => weight((2 * i) / (count - 1) - 1));
}

/** a0 + a1 cos(πu) + a2 cos(2πu) + …: written from the middle, all terms are added. */
function cosines(terms: readonly number[]): (count: number) => Float64Array {
  return (count) => over(count, (u) => terms.reduce((sum, term, k) => sum + term * Math.cos(k * Math.PI * u), 0));
}
