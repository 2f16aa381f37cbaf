/**
 * The integral of y over irregularly spaced x by Simpson's rule. With an even number of values, the mean of two
 * variants with the last or the first step as a trapezoid (scipy.integrate.simps until SciPy 1.10, even="avg"). 0 for
 * fewer than two values.
 */
export function simpson(y: Float64Array, x: Float64Array): number {
  const last = y.length - 1;
  if (last < 1) return 0;
  if (last === 1) return trapezoid(y, x, 0);
  if (last % 2 === 0) return parabolas(y, x, 0, last);
  const [front, back] = [
    parabolas(y, x, 0, last - 1) + trapezoid(y, x, last - 1),
    parabolas(y, x, 1, last) + trapezoid(y, x, 0),
  ];
  return (front + back) / 2;
}

function trapezoid(y: Float64Array, x: Float64Array, at: number): number {
  return ((x[at + 1]! - x[at]!) * (y[at]! + y[at + 1]!)) / 2;
}

/**
 * Integrates parabolas over two steps at a time from `first` to `last`; steps without width add nothing (as in SciPy).
 */
function parabolas(y: Float64Array, x: Float64Array, first: number, last: number): number {
  let total = 0;
  for (let i = first; i + 2 <= last; i += 2) {
    const [h0, h1] = [x[i + 1]! - x[i]!, x[i + 2]! - x[i + 1]!];
    const [width, product] = [h0 + h1, h0 * h1];
    const [ratio, over] = [over0(h0, h1), over0(1, over0(h0, h1))];
    total += (width / 6) * (y[i]! * (2 - over) + y[i + 1]! * (width * over0(width, product)) + y[i + 2]! * (2 - ratio));
  }
  return total;
}

function over0(a: number, b: number): number {
  return b === 0 ? 0 : a / b;
}
