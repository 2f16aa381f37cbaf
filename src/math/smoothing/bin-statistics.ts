/** The statistic of the y values of each bin; `bins` has the bin of each value. 0 for an empty bin. */
export function binStatistics(
  bins: Uint32Array,
  y: Float64Array,
  count: number,
  statistic: (values: Float64Array) => number,
): Float64Array {
  const starts = new Uint32Array(count + 1);
  for (const bin of bins) starts[bin + 1]!++;
  for (let bin = 0; bin < count; bin++) starts[bin + 1]! += starts[bin]!;
  const [sorted, next] = [new Float64Array(y.length), starts.slice()];
  for (let i = 0; i < y.length; i++) sorted[next[bins[i]!]!++] = y[i]!;
  return Float64Array.from({ length: count }, (_, bin) =>
    starts[bin] === starts[bin + 1] ? 0 : statistic(sorted.subarray(starts[bin], starts[bin + 1])),
  );
}
