import { ensemble, type EnsembleOptions } from "./ensemble.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";

/** Values that are looked at together at most. */
export const widestWindow = 1024;

/** Values by which a window moves on. */
const stride = 512;

/** Values after a change, the window moving on, from which on it is settled. */
const aftermath = 256;

/** A change that no later value moves. */
export interface SettledChange {
  readonly index: number;
  readonly p: number;
}

/** What is known of a beginning of a series, whatever comes after it. Small, and of plain data. */
export interface Settled {
  /** Where the window begins in which changes may still be found. */
  readonly from: number;
  readonly places: readonly SettledChange[];
}

/** Remembers what was settled in beginnings of series, by the numbers themselves. */
export interface SettledMemory {
  get(beginning: Float64Array): Settled | undefined;
  put(beginning: Float64Array, settled: Settled): void;
}

const nothing: Settled = { from: 0, places: [] };

/**
 * The changes of a series of any length: those of `ensemble` where it has up to 1024 values. Along a longer one a
 * window goes: whenever there are more than 1024, 1536, 2048 ... values, the changes in the window that have 256 of
 * them behind it are settled, and the window begins anew, at the last settled change or 512 values back, whichever is
 * later. So a value more costs a look at no more than 1024, noise of long ago says nothing of new values, and what is
 * settled stays. The level of `ensemble` holds for each window. What `memory` knows is not computed again.
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
  );
  return changes.map((change, at) => ({ ...change, p: (all[at] as SettledChange).p }));
}

/** What is settled of more than 1024 values. */
function settledIn(values: Float64Array, options: EnsembleOptions, memory: SettledMemory | undefined): Settled {
  const last = values.length - 1 - ((values.length - 1) % stride);
  let [end, settled] = remembered(values, last, memory);
  if (end === last) return settled;
  for (end += stride; end <= last; end += stride) settled = advanced(values.subarray(0, end), settled, options);
  memory?.put(values.subarray(0, last), settled);
  return settled;
}

/**
 * The latest moves of the window are tried only: to look for each of them would take longer than to go along the
 * series.
 */
function remembered(values: Float64Array, last: number, memory: SettledMemory | undefined): [number, Settled] {
  for (let end = last; end >= widestWindow && end > last - 4 * stride; end -= stride) {
    const found = memory?.get(values.subarray(0, end));
    if (found !== undefined) return [end, found];
  }
  return [widestWindow - stride, nothing];
}

/** The window that ends with `values` moves on. */
function advanced(values: Float64Array, { from, places }: Settled, options: EnsembleOptions): Settled {
  const { length } = values;
  const settled = changesFrom(values, from, options).filter(({ index }) => index <= length - aftermath);
  return { from: Math.max(length - stride, settled.at(-1)?.index ?? 0), places: [...places, ...settled] };
}

function changesFrom(values: Float64Array, from: number, options: EnsembleOptions): SettledChange[] {
  return ensemble(values.subarray(from), options).map(({ index, p }) => ({ index: from + index, p: p ?? 1 }));
}
