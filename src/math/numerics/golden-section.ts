const ratio = 2 / (1 + Math.sqrt(5));

/**
 * Where `f` is least in [low, high], as far as golden section search (Kiefer 1953) finds it; the two ends are tried
 * first. Ends when the bracket is narrower than `width`, or when two values differ by less than `flatness` times the
 * greater of the first two.
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
