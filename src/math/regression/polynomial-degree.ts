/**
 * The least degree from 0 to `most` whose polynomial leaves at most `allowed` as sum of squared residuals of y over x;
 * `most` + 1 where none does. Polynomials orthogonal over x are taken off one after the other, so that no digits are
 * lost to powers of x.
 */
export function polynomialDegree(x: Float64Array, y: Float64Array, most: number, allowed: number): number {
  let rest: Float64Array = y;
  let power: Float64Array = x.map(() => 1);
  const basis: Float64Array[] = [];
  for (let degree = 0; degree <= most; degree++) {
    const own = basis.reduce(without, power);
    rest = without(rest, own);
    if (dot(rest, rest) <= allowed) return degree;
    basis.push(own);
    power = times(own, scaled(x));
  }
  return most + 1;
}

/** `values` without the part that lies along `direction`. */
function without(values: Float64Array, direction: Float64Array): Float64Array {
  const length = dot(direction, direction);
  const share = length === 0 ? 0 : dot(values, direction) / length;
  return values.map((value, i) => value - share * direction[i]!);
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i]! * b[i]!;
  return total;
}

function times(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value * b[i]!);
}

/** From -1 to 1. */
function scaled(x: Float64Array): Float64Array {
  const [first, last] = [x[0] ?? 0, x.at(-1) ?? 0];
  return first === last ? x.map(() => 0) : x.map((value) => (2 * (value - first)) / (last - first) - 1);
}
