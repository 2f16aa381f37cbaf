import type { VersionId } from "../../core/versions/digest.ts";
import type { PointOrigin } from "../../core/measurements/series.ts";
import type { MeasurementOrigins } from "./series-builder.ts";

/** How many rows had no place in the order. */
export interface LeftOutRows {
  readonly nameless: number;
  readonly elsewhere: number;
}

/** Rows by the runs that they are of, in the order of history. */
export interface Measurements extends MeasurementOrigins, LeftOutRows {
  /** By row: which place and evidence; -1: it has no place in the order. */
  readonly numbers: Int32Array;
}

/** What rows without a place in the order have for a number. */
const [nameless, elsewhere] = [-1, -2];

/** By number of the run what it measured; those that are not in it measured no known version. */
export type RunVersions = ReadonlyMap<number, VersionId>;

/** `runs`: by row the number of its run. `order`: as of `addExperiment`. */
export function measurementsOf(
  experiment: string,
  runs: Float64Array,
  versions: RunVersions,
  order: readonly VersionId[],
): Measurements {
  const known = new Map<VersionId, number>(order.map((id, at) => [id, at]));
  const byRun = numberedRuns(runs);
  const ranks = new Int32Array(byRun.runs.length);
  const placed: {
    readonly at: number;
    readonly place: number;
    readonly run: number;
    readonly version: VersionId | null;
  }[] = [];
  for (const [at, run] of byRun.runs.entries()) {
    const version = order.length === 0 ? null : versions.get(run);
    const place = version === null ? run : version && known.get(version);
    if (version === undefined || place === undefined) ranks[at] = version === undefined ? nameless : elsewhere;
    else placed.push({ at, place, run, version });
  }
  placed.sort((a, b) => a.place - b.place || a.run - b.run);
  for (const [rank, { at }] of placed.entries()) ranks[at] = rank;
  const numbers = byRun.numbers.map((at) => ranks[at] as number);
  return {
    numbers,
    origins: placed.map(({ version }): PointOrigin => ({ version, machine: null })),
    evidence: placed.map(({ run }) => `${experiment}#${run}`),
    nameless: countOf(numbers, nameless),
    elsewhere: countOf(numbers, elsewhere),
  };
}

/** The runs as they are first seen, and by row the place of its run among them. */
function numberedRuns(rows: Float64Array): { readonly numbers: Int32Array; readonly runs: readonly number[] } {
  const numbers = new Int32Array(rows.length);
  const known = new Map<number, number>();
  let [last, own] = [Number.NaN, 0];
  for (const [row, run] of rows.entries()) {
    // Rows of one run mostly lie together.
    if (run !== last) {
      own = known.get(run) ?? known.size;
      known.set(run, own);
      last = run;
    }
    numbers[row] = own;
  }
  return { numbers, runs: [...known.keys()] };
}

function countOf(numbers: Int32Array, wanted: number): number {
  let count = 0;
  for (const number of numbers) if (number === wanted) count += 1;
  return count;
}
