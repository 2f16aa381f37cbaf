import type { VersionId } from "../../core/versions/index.ts";
import type { PointBlock } from "../../core/pages/index.ts";
import type { PagedSeries } from "./paged-series.ts";

/**
 * Most points of a block, unless a single series has more: a page requests about ten series, and reads blocks
 * completely.
 */
const pointsPerBlock = 8192;

/** The layout of points in blocks. */
export interface BlockLayout {
  /** By series: its block, and the offset of its points. */
  readonly block: Int32Array;
  readonly from: Int32Array;
  /** By block: its first series, followed by the end. */
  readonly starts: readonly number[];
}

/** Assigns series to blocks, each to a single one. */
export function blockLayout(series: readonly PagedSeries[]): BlockLayout {
  const [block, from] = [new Int32Array(series.length), new Int32Array(series.length)];
  const starts = [0];
  let held = 0;
  for (const [at, { line }] of series.entries()) {
    if (held > 0 && held + line.values.length > pointsPerBlock) {
      starts.push(at);
      held = 0;
    }
    block[at] = starts.length - 1;
    from[at] = held;
    held += line.values.length;
  }
  return { block, from, starts: [...starts, series.length] };
}

/** The points of some series. If all have one value each, least, greatest and count are omitted. */
export function pointBlock(
  series: readonly PagedSeries[],
  block: number,
  order: ReadonlyMap<VersionId, number>,
): PointBlock {
  const length = series.reduce((sum, { line }) => sum + line.values.length, 0);
  const isSpread = series.some(({ line }) => line.points?.some(({ sample }) => sample.length > 1) === true);
  const spread = isSpread ? length : 0;
  const [version, center] = [new Int32Array(length), new Float64Array(length)];
  const [low, high, n] = [new Float64Array(spread), new Float64Array(spread), new Int32Array(spread)];
  const changes: number[] = [];
  let at = 0;
  for (const { line, verdicts } of series) {
    const changed = new Set(
      verdicts.flatMap(({ outcome: word, since }) => (since === null || !isChange(word) ? [] : [since.after])),
    );
    center.set(line.values, at);
    for (const [index, { version: id }] of line.origins.entries()) {
      version[at + index] = id === null ? -1 : (order.get(id) ?? -1);
      // A change starts at the first of several points of one version.
      if (id !== null && changed.delete(id)) changes.push(at + index);
      if (!isSpread) continue;
      const sample = line.points?.[index]?.sample ?? line.values.subarray(index, index + 1);
      [low[at + index], high[at + index], n[at + index]] = [least(sample), greatest(sample), sample.length];
    }
    at += line.values.length;
  }
  return { facts: { block }, arrays: { version, center, low, high, n, changes: Int32Array.from(changes) } };
}

function isChange(word: string): boolean {
  return word === "worse" || word === "better";
}

function least(values: Float64Array): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function greatest(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
