/**
 * q of each p: the share of false alarms among all with a p no greater, by Benjamini and Hochberg, "Controlling the
 * False Discovery Rate" (1995). `tests`: how many p there are together, when only the small ones are handed in.
 */
export function falseDiscovery(p: Float64Array, tests: number = p.length): Float64Array {
  const order = Uint32Array.from(p.keys()).sort((a, b) => (p[a] as number) - (p[b] as number));
  const q = new Float64Array(p.length);
  let least = 1;
  for (let rank = p.length; rank > 0; rank--) {
    const at = order[rank - 1] as number;
    least = Math.min(least, ((p[at] as number) * tests) / rank);
    q[at] = least;
  }
  return q;
}
