import { median } from "../descriptive/index.ts";
import { ensemble, type EnsembleOptions } from "./ensemble.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";

/** Maximum values of a window. */
export const widestWindow = 1024;

/** Step of the window. */
const stride = 512;

/** Values after a change that settle it when the window moves. */
const aftermath = 256;

/** A change that later values do not affect. */
export interface SettledChange {
  readonly index: number;
  readonly p: number;
}

/** The settled result of a prefix of a series, independent of later values. Small plain data, stored in a cache. */
export interface Settled {
  /** Start of the window in which changes are not settled. */
  readonly from: number;
  readonly places: readonly SettledChange[];
}

/** A cache of settled results, keyed by the values of the prefix. */
export interface SettledMemory {
  get(prefix: Float64Array): Settled | undefined;
  put(prefix: Float64Array, settled: Settled): void;
}

const nothing: Settled = { from: 0, places: [] };

/**
 * The changes of a series of any length: those of `ensemble` for up to 1024 values. A longer series has a moving
 * window: beyond 1024, 1536, 2048 ... values, changes in the window followed by at least 256 values are settled, and
 * the window restarts at the last settled change or 512 values back, whichever is later. An additional value thus costs
 * a window of at most 1024, old noise does not affect new values, and settled changes stay. The level of `ensemble`
 * holds for each window. Results in `memory` are not computed again.
 */
export function incrementalEnsemble(
  values: Float64Array,
  options: EnsembleOptions,
  memory?: SettledMemory,
): LevelChange[] {
  if (values.length <= widestWindow) return ensemble(values, options);
  const { from, places } = settledIn(values, options, memory);
  const all = [...places, ...changesFrom(values, from, options)];
  const changes = levelChanges(
    values,
    all.map(({ index }) => index),
    median,
  );
  return changes.map((change, at) => ({ ...change, p: (all[at] as SettledChange).p }));
}

/** The settled result of more than 1024 values. */
function settledIn(values: Float64Array, options: EnsembleOptions, memory: SettledMemory | undefined): Settled {
  const last = values.length - 1 - ((values.length - 1) % stride);
  let [end, settled] = remembered(values, last, memory);
  if (end === last) return settled;
  for (end += stride; end <= last; end += stride) settled = advanced(values.subarray(0, end), settled, options);
  memory?.put(values.subarray(0, last), settled);
  return settled;
}

/**
 * The cached result of the longest prefix among the latest windows; searching for all would take longer than computing.
 */
function remembered(values: Float64Array, last: number, memory: SettledMemory | undefined): [number, Settled] {
  for (let end = last; end >= widestWindow && end > last - 4 * stride; end -= stride) {
    const found = memory?.get(values.subarray(0, end));
    if (found !== undefined) return [end, found];
  }
  return [widestWindow - stride, nothing];
}

/** Advances the window that ends with `values`. */
function advanced(values: Float64Array, { from, places }: Settled, options: EnsembleOptions): Settled {
  const { length } = values;
  const settled = changesFrom(values, from, options).filter(({ index }) => index <= length - aftermath);
  return { from: Math.max(length - stride, settled.at(-1)?.index ?? 0), places: [...places, ...settled] };
}

function changesFrom(values: Float64Array, from: number, options: EnsembleOptions): SettledChange[] {
  return ensemble(values.subarray(from), options).map(({ index, p }) => ({ index: from + index, p: p ?? 1 }));
}
