const ratio = 2 / (1 + Math.sqrt(5));

/**
 * The minimum of `f` in [low, high] by golden-section search (Kiefer 1953); both ends are tried first. Stops if the
 * bracket is narrower than `width`, or if two values differ by less than `flatness` times the greater of the first two.
 */
export function goldenSection(
  f: (x: number) => number,
  low: number,
  high: number,
  width: number,
  flatness: number,
): number {
  // The inner points of this bracket are the two ends.
  let left = (ratio * low - (1 - ratio) * high) / (2 * ratio - 1);
  let right = (ratio * high - (1 - ratio) * low) / (2 * ratio - 1);
  let [a, b] = [ratio * left + (1 - ratio) * right, (1 - ratio) * left + ratio * right];
  let [atA, atB] = [f(a), f(b)];
  const scale = flatness * Math.max(Math.abs(atA), Math.abs(atB));
  while (Math.abs(left - right) >= width && Math.abs(atA - atB) >= scale) {
    if (atB < atA) {
      [left, a, atA] = [a, b, atB];
      b = ratio * a + (1 - ratio) * right;
      atB = f(b);
    } else {
      [right, b, atB] = [b, a, atA];
      a = ratio * b + (1 - ratio) * left;
      atA = f(a);
    }
  }
  return atB < atA ? b : a;
}

/**
 * A local minimum of a function of one variable near `start`: the simplex search of Nelder and Mead (1965), to 1e-4 in
 * argument and value. NaN counts as infinite.
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
