/** Bins of a sample: the lower edge of each, and how many values are in it. */
export interface Bins {
  readonly edges: Float64Array;
  readonly counts: Float64Array;
}

/** How often each value of a sample is there; absent: every one once. */
export type Weights = ArrayLike<number> | undefined;

/**
 * Bins of one width from `start` on until all values are in one, at most `most`: the last of them has all the rest,
 * whatever is lost in rounding. A value on the edge between two bins belongs to the lower one. `sorted` is ascending,
 * finite, none below `start`; a width of 0 makes one bin.
 */
export function binned(sorted: Float64Array, start: number, width: number, most = Infinity, weights?: Weights): Bins {
  return filled(sorted, weights, start, (_, at) => (width === 0 || at === most ? Infinity : start + at * width));
}

/**
 * As perfbase has them: edges are found by adding the width again and again, so that they differ from multiples in the
 * last digits.
 */
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

/** One bin for every different value. */
export function valueCounts(sorted: Float64Array, weights?: Weights): Bins {
  const counts = new Map<number, number>();
  sorted.forEach((value, at) => counts.set(value + 0, (counts.get(value + 0) ?? 0) + (weights?.[at] ?? 1)));
  return { edges: Float64Array.from(counts.keys()), counts: Float64Array.from(counts.values()) };
}

/**
 * How many values lie in each interval [start + i·width, start + (i+1)·width), from that of the first value to that of
 * the last. `sorted` is ascending and finite, none below `start`.
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
