/** Bins of a sample: lower edges and counts. */
export interface Bins {
  readonly edges: Float64Array;
  readonly counts: Float64Array;
}

/** Multiplicity of each value of a sample; absent: 1. */
export type Weights = ArrayLike<number> | undefined;

/**
 * Bins of equal width from `start` to the last value, at most `most`; the last one has all remaining values. A value on
 * an edge belongs to the lower bin. `sorted` is ascending, finite, not below `start`; a width of 0 makes one bin.
 */
export function binned(sorted: Float64Array, start: number, width: number, most = Infinity, weights?: Weights): Bins {
  return filled(sorted, weights, start, (_, at) => (width === 0 || at === most ? Infinity : start + at * width));
}

/** perfbase's bins: edges by repeated addition of the width, which differ from multiples in the last digits. */
export function addedBins(sorted: Float64Array, start: number, width: number, weights?: Weights): Bins {
  return filled(sorted, weights, start, (before) => (width === 0 ? Infinity : before + width));
}

function filled(
  sorted: Float64Array,
  weights: Weights,
  start: number,
  nextEdge: (before: number, at: number) => number,
): Bins {
  const [edges, counts]: [number[], number[]] = [[], []];
  let [at, edge] = [0, start];
  while (at < sorted.length) {
    let count = 0;
    const end = nextEdge(edge, edges.length + 1);
    for (; at < sorted.length && (sorted[at] ?? 0) <= end; at += 1) count += weights?.[at] ?? 1;
    edges.push(edge);
    counts.push(count);
    edge = end;
  }
  return { edges: Float64Array.from(edges), counts: Float64Array.from(counts) };
}

/** One bin per distinct value. */
export function valueCounts(sorted: Float64Array, weights?: Weights): Bins {
  const counts = new Map<number, number>();
  sorted.forEach((value, at) => counts.set(value + 0, (counts.get(value + 0) ?? 0) + (weights?.[at] ?? 1)));
  return { edges: Float64Array.from(counts.keys()), counts: Float64Array.from(counts.values()) };
}

/**
 * Counts in the intervals [start + i·width, start + (i+1)·width), from the first value to the last. `sorted` is
 * ascending and finite, none below `start`.
 */
export function intervalCounts(
  sorted: Float64Array,
  width: number,
  weights?: Weights,
  start: number = sorted[0] ?? 0,
): Bins {
  const counts: number[] = [];
  sorted.forEach((value, at) => {
    while (value >= start + counts.length * width) counts.push(0);
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + (weights?.[at] ?? 1);
  });
  return { edges: Float64Array.from(counts, (_, at) => start + at * width), counts: Float64Array.from(counts) };
}
