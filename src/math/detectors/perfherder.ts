import { type LevelChange, levelChanges } from "./level-change.ts";

/** Options with the names and defaults of Mozilla's Perfherder. */
export interface PerfherderOptions {
  /** Minimum and maximum number of compared values before a position. */
  readonly minBack: number;
  readonly maxBack: number;
  /** Number of compared values from a position on. */
  readonly fore: number;
  readonly threshold: number;
}

export const perfherderDefaults: PerfherderOptions = { minBack: 12, maxBack: 24, fore: 12, threshold: 7 };

/**
 * The detection of Mozilla's Perfherder (treeherder, perfalert): positions with a t statistic of the values before and
 * after, weighted by nearness, above the threshold and not below that of the neighbours. The window before grows until
 * a change. Values are finite.
 */
export function perfherder(values: Float64Array, options: PerfherderOptions): LevelChange[] {
  const { t, back, fore } = statistics(values, options);
  const positions: number[] = [];
  for (let at = 1; at < values.length; at++) {
    const own = t[at] as number;
    if ((back[at] as number) < options.minBack || (fore[at] as number) < options.fore || !(own > options.threshold))
      continue;
    if ((t[at - 1] as number) > own || (t[at + 1] ?? 0) > own) continue;
    positions.push(at);
  }
  return levelChanges(values, positions);
}

/** |t| of every position, with the numbers of values before and after. */
function statistics(values: Float64Array, { minBack, maxBack, fore, threshold }: PerfherderOptions) {
  const found = {
    t: new Float64Array(values.length),
    back: new Int32Array(values.length),
    fore: new Int32Array(values.length),
  };
  for (let [at, quiet] = [1, 0]; at < values.length; at++) {
    const before = Math.min(at, maxBack, Math.max(quiet, minBack));
    const after = Math.min(fore, values.length - at);
    const t = Math.abs(weightedT(values, at, before, after));
    found.t[at] = t;
    found.back[at] = before;
    found.fore[at] = after;
    quiet = t > threshold ? 0 : quiet + 1;
  }
  return found;
}

function weightedT(values: Float64Array, at: number, before: number, after: number): number {
  if (before === 0 || after === 0) return 0;
  const left = weighted(before, (i) => values[at - 1 - i] as number);
  const right = weighted(after, (i) => values[at + i] as number);
  const difference = right.mean - left.mean;
  if (difference === 0) return 0;
  const variance = left.variance / before + right.variance / after;
  return variance === 0 ? Infinity : difference / Math.sqrt(variance);
}

/** Mean with linearly decreasing weights from the nearest value on, and the variance around it. */
function weighted(count: number, value: (i: number) => number): { mean: number; variance: number } {
  let [sum, weights] = [0, 0];
  for (let i = 0; i < count; i++) {
    const weight = (count - i) / count;
    sum += value(i) * weight;
    weights += weight;
  }
  const mean = sum / weights;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += (value(i) - mean) ** 2;
  return { mean, variance: count > 1 ? squares / (count - 1) : 0 };
}
