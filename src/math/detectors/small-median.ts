/** The median of a few values, which are put in order; by insertion, which is quickest for few. NaN when empty. */
export function medianOfFew(values: Float64Array): number {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    let at = i;
    for (; at > 0 && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  const half = values.length >> 1;
  const upper = values[half] ?? Number.NaN;
  return values.length % 2 === 1 ? upper : ((values[half - 1] ?? Number.NaN) + upper) / 2;
}
