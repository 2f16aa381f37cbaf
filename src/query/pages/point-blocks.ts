import type { VersionId } from "../../core/versions/index.ts";
import type { MachineColumns, PointBlock, SeriesColumns, StateLevels } from "../../core/pages/index.ts";
import { groupBy } from "../../core/values/index.ts";
import { medianInPlace } from "../../math/descriptive/index.ts";
import { lineOf } from "../series/index.ts";
import type { PagedSeries } from "./paged-series.ts";
import { StateLevelsBuilder } from "./state-levels.ts";

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

/** Machines of which points are compared: those with the most points. */
const mostMachines = 8;

/** Most points of the histories of machines, which a page reads at once. */
const mostMachinePoints = 100_000;

type MachineRow = readonly [series: number, machine: number, version: number, sample: Float64Array];

/**
 * The points of each two machines at the newest commit that both measured, and the newest points of each machine: of
 * each series as many as are `most` in all. Oldest commit first.
 */
export function machineColumns(
  series: readonly PagedSeries[],
  order: ReadonlyMap<VersionId, number>,
  most = mostMachinePoints,
): MachineColumns {
  const machines = machinesOf(series);
  const kept = Math.floor(most / Math.max(1, series.length * machines.length));
  const rows =
    machines.length < 2
      ? []
      : series.flatMap((paged, at) => machineRows(paged, at, order, machines, kept).toReversed());
  const integers = (of: 0 | 1 | 2): Int32Array => Int32Array.from(rows, (row) => row[of]);
  const numbers = (of: (sample: Float64Array) => number): Float64Array => Float64Array.from(rows, (row) => of(row[3]));
  return {
    facts: { machines },
    arrays: {
      series: integers(0),
      machine: integers(1),
      version: integers(2),
      center: numbers((sample) => medianInPlace(sample.slice())),
      low: numbers(least),
      high: numbers(greatest),
      n: Int32Array.from(rows, ([, , , sample]) => sample.length),
    },
  };
}

/** The rows of a series, newest commit first. */
function machineRows(
  { series: { points: all } }: PagedSeries,
  at: number,
  order: ReadonlyMap<VersionId, number>,
  machines: readonly string[],
  kept: number,
): MachineRow[] {
  const rows: MachineRow[] = [];
  const byVersion = groupBy(
    all.filter(({ version }) => version !== null && order.has(version)),
    ({ version }) => order.get(version!)!,
  );
  const [done, counts] = [new Set<string>(), new Map<number, number>()];
  for (const [version, points] of [...byVersion].sort(([a], [b]) => b - a)) {
    const own = groupBy(points, ({ machine }) => machines.indexOf(machine ?? ""));
    own.delete(-1);
    const pairs = [...own.keys()].flatMap((a) => [...own.keys()].filter((b) => a < b).map((b) => [a, b] as const));
    const added = pairs.filter(([a, b]) => !done.has(`${a} ${b}`));
    for (const [a, b] of added) done.add(`${a} ${b}`);
    const common = new Set(added.flat());
    for (const [machine, measured] of own) {
      const count = counts.get(machine) ?? 0;
      if (count >= kept && !common.has(machine)) continue;
      counts.set(machine, count + 1);
      rows.push([at, machine, version, joined(measured.map(({ sample }) => sample))]);
    }
  }
  return rows;
}

function joined(samples: readonly Float64Array[]): Float64Array {
  return Float64Array.from(samples.flatMap((sample) => Array.from(sample)));
}

function machinesOf(series: readonly PagedSeries[]): string[] {
  const counts = new Map<string, number>();
  // Most series share their positions.
  for (const origins of new Set(series.map(({ series: each }) => lineOf(each).origins)))
    for (const { machine } of origins) if (machine !== null) counts.set(machine, (counts.get(machine) ?? 0) + 1);
  const byCount = [...counts].sort(([, a], [, b]) => b - a).slice(0, mostMachines);
  return byCount.map(([machine]) => machine).sort();
}

/** The levels of all series on two machines, by index in `machines`, as between two commits that are not known. */
export function machineLevels(
  series: SeriesColumns,
  { arrays }: MachineColumns,
  machines: readonly [from: number, to: number],
): StateLevels {
  const { levels } = new StateLevelsBuilder(series, -1, -1);
  const rows = new Map<string, number>();
  arrays.series.forEach((at, row) => rows.set(`${at} ${arrays.machine[row]} ${arrays.version[row]}`, row));
  const newest = new Map<number, number>();
  arrays.series.forEach((at, row) => {
    const version = arrays.version[row] as number;
    const isCommon = machines.every((machine) => rows.has(`${at} ${machine} ${version}`));
    if (isCommon && version > (newest.get(at) ?? -1)) newest.set(at, version);
  });
  for (const [at, version] of newest)
    (["before", "after"] as const).forEach((side, index) => {
      const row = rows.get(`${at} ${machines[index]} ${version}`) as number;
      const set = (name: keyof StateLevels["arrays"], value: number | undefined): unknown =>
        (levels.arrays[name][at] = value ?? Number.NaN);
      set(`${side}At`, version);
      set(side, arrays.center[row]);
      set(`${side}Low`, arrays.low[row]);
      set(`${side}High`, arrays.high[row]);
      set(`${side}N`, arrays.n[row]);
    });
  return levels;
}
