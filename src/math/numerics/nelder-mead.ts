/**
 * A point where a function of one variable is smallest around `start`: the simplex search of Nelder and Mead (1965), to
 * 1e-4 in place and value. NaN counts as no value.
 */
export function minimumNear(f: (x: number) => number, start: number): number {
  const value = (x: number): number => {
    const found = f(x);
    return Number.isNaN(found) ? Infinity : found;
  };
  let [best, worst] = inOrder(at(start, value), at(start === 0 ? 0.00025 : start * 1.05, value));
  for (let step = 0; step < 1000; step++) {
    if (Math.abs(worst.x - best.x) <= 1e-4 && Math.abs(worst.value - best.value) <= 1e-4) break;
    const reflected = at(2 * best.x - worst.x, value);
    if (reflected.value < best.value) {
      const expanded = at(3 * best.x - 2 * worst.x, value);
      [best, worst] = inOrder(best, expanded.value < reflected.value ? expanded : reflected);
      continue;
    }
    const outside = reflected.value < worst.value;
    const contracted = at(outside ? 1.5 * best.x - 0.5 * worst.x : 0.5 * (best.x + worst.x), value);
    const isBetter = outside ? contracted.value <= reflected.value : contracted.value < worst.value;
    [best, worst] = inOrder(best, isBetter ? contracted : at(best.x + 0.5 * (worst.x - best.x), value));
  }
  return best.x;
}

interface Point {
  readonly x: number;
  readonly value: number;
}

function at(x: number, value: (x: number) => number): Point {
  return { x, value: value(x) };
}

function inOrder(a: Point, b: Point): [Point, Point] {
  return b.value < a.value ? [b, a] : [a, b];
}
