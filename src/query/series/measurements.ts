import type { VersionId } from "../../core/versions/index.ts";
import type { PointOrigin, Growth } from "../../core/measurements/index.ts";

/** Number of rows skipped by reason. */
export interface SkippedRows {
  readonly withoutVersion: number;
  readonly outsideHistory: number;
}

/** Rows by run, in the order of history. */
export interface Measurements extends MeasurementOrigins, SkippedRows {
  /** By row: index into origins and evidence; negative: skipped. */
  readonly numbers: Int32Array;
}

/** Codes of skipped rows. */
const [withoutVersion, outsideHistory] = [-1, -2];

/** Measured version by number of run; runs without an entry have no known version. */
export type RunVersions = ReadonlyMap<number, VersionId>;

/** Machine class by number of run; runs without an entry have an unknown machine. */
export type RunMachines = ReadonlyMap<number, string>;

/** `runs`: run number by row. `order`: see `addExperiment`. */
export function measurementsOf(
  experiment: string,
  runs: Float64Array,
  { versions, machines }: { readonly versions: RunVersions; readonly machines?: RunMachines | undefined },
  order: readonly VersionId[],
): Measurements {
  const known = new Map<VersionId, number>(order.map((id, at) => [id, at]));
  const byRun = numberedRuns(runs);
  const ranks = new Int32Array(byRun.runs.length);
  const located: {
    readonly at: number;
    readonly position: number;
    readonly run: number;
    readonly version: VersionId | null;
  }[] = [];
  for (const [at, run] of byRun.runs.entries()) {
    const version = order.length === 0 ? null : versions.get(run);
    const position = version === null ? run : version && known.get(version);
    if (version === undefined || position === undefined)
      ranks[at] = version === undefined ? withoutVersion : outsideHistory;
    else located.push({ at, position, run, version });
  }
  located.sort((a, b) => a.position - b.position || a.run - b.run);
  for (const [rank, { at }] of located.entries()) ranks[at] = rank;
  const numbers = byRun.numbers.map((at) => ranks[at] as number);
  return {
    numbers,
    origins: located.map(({ version, run }): PointOrigin => ({ version, machine: machines?.get(run) ?? null })),
    evidence: located.map(({ run }) => `${experiment}#${run}`),
    withoutVersion: countOf(numbers, withoutVersion),
    outsideHistory: countOf(numbers, outsideHistory),
  };
}

/** Runs in order of first appearance, and by row the index of its run. */
function numberedRuns(rows: Float64Array): { readonly numbers: Int32Array; readonly runs: readonly number[] } {
  const numbers = new Int32Array(rows.length);
  const known = new Map<number, number>();
  let [last, own] = [Number.NaN, 0];
  for (const [row, run] of rows.entries()) {
    // Rows of one run are usually contiguous.
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

/** By profile: the origin of its values, and their evidence. */
export interface MeasurementOrigins {
  readonly origins: readonly PointOrigin[];
  readonly evidence: readonly string[];
}

/** Samples in parallel columns. */
export interface SampleColumns {
  /** By sample: its profile, and the end of its values. */
  readonly profiles: Int32Array;
  readonly ends: Int32Array;
  readonly values: Float64Array;
  /** By sample: the models of a growth. */
  readonly growths: ReadonlyMap<number, Growth>;
}

/** The positions of samples in a block. */
export interface BlockShape extends Pick<SampleColumns, "profiles" | "ends"> {
  /** Samples of subject i are `starts[i]` to before `starts[i + 1]`, in the order of the profiles. */
  readonly starts: Int32Array;
}

/** Most shapes in memory. */
const mostShapes = 6;

const shapes = new Map<string, BlockShape>();

/**
 * The shape of blocks in which each profile has one value of each subject. Equal shapes are usually the same object, so
 * that blocks share it; it must not be changed.
 */
export function regularShape(subjects: number, profiles: number): BlockShape {
  const key = `${subjects} ${profiles}`;
  const known = shapes.get(key);
  if (known !== undefined) return known;
  const shape = newRegularShape(subjects, profiles);
  const [oldest] = shapes.keys();
  if (shapes.size === mostShapes && oldest !== undefined) shapes.delete(oldest);
  shapes.set(key, shape);
  return shape;
}

function newRegularShape(subjects: number, profiles: number): BlockShape {
  const [starts, ends] = [new Int32Array(subjects + 1), new Int32Array(subjects * profiles)];
  const own = new Int32Array(subjects * profiles);
  for (let at = 0; at <= subjects; at++) starts[at] = at * profiles;
  for (let at = 0, profile = 0; at < own.length; at++) {
    own[at] = profile;
    ends[at] = at + 1;
    profile = profile + 1 === profiles ? 0 : profile + 1;
  }
  return { starts, profiles: own, ends };
}

/** Whether a block has the shape of `regularShape`; false for an equal shape that is another object. */
export function isRegular(shape: BlockShape, subjects: number, profiles: number): boolean {
  return shapes.get(`${subjects} ${profiles}`)?.ends === shape.ends;
}
