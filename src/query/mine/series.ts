import { median } from "../../math/descriptive/index.ts";
import type { Sample } from "./sample.ts";
import { courseLevels, fewestRuns, type Course } from "./trends-and-outliers.ts";

/** The values of one result in one set, at least one. */
export interface Series {
  readonly sample: Sample;
  readonly set: number;
  readonly from: number;
  readonly to: number;
  /** Null with too few runs for a course. */
  readonly runs: SeriesRuns | null;
  /** Steady until a change is found. */
  course: Course;
}

/** Start of the values of each run, and their medians. */
export interface SeriesRuns {
  readonly starts: readonly number[];
  readonly medians: Float64Array;
}

/** A series with enough runs for a course. */
export type LongSeries = Series & { readonly runs: SeriesRuns };

/** One series for each set with values. */
export function seriesOf(sample: Sample, sets: number): Series[] {
  const all: Series[] = [];
  for (let set = 0; set < sets; set++) {
    const [from, to] = [sample.starts[set] as number, sample.starts[set + 1] as number];
    if (to > from) all.push({ sample, set, from, to, runs: runsOf(sample, from, to), course: { kind: "steady" } });
  }
  return all;
}

function runsOf({ runs, values }: Sample, from: number, to: number): SeriesRuns | null {
  const starts: number[] = [];
  for (let at = from; at < to; at++) if (at === from || runs[at] !== runs[at - 1]) starts.push(at);
  if (starts.length < fewestRuns) return null;
  const medians = Float64Array.from(starts, (start, run) => median(values.subarray(start, starts[run + 1] ?? to)));
  return { starts, medians };
}

/** The level of each value, relative to `from`; of a steady series one for all. */
export type Levels = number | Float64Array;

/** The median of the set, or the levels of its runs if the set changes. */
export function levelsOf({ sample, from, to, runs, course }: Series): Levels {
  if (course.kind === "steady" || runs === null) return median(sample.values.subarray(from, to));
  const levels = new Float64Array(to - from);
  const ofRuns = courseLevels(runs.medians, course);
  runs.starts.forEach((start, run) =>
    levels.fill(ofRuns[run] as number, start - from, (runs.starts[run + 1] ?? to) - from),
  );
  return levels;
}

/** Scratch memory, which grows as needed. */
export class Scratch {
  #numbers = new Float64Array(1 << 12);

  /** `length` numbers of any value, valid until the next call. */
  take(length: number): Float64Array {
    if (this.#numbers.length < length) this.#numbers = new Float64Array(Math.max(length, 2 * this.#numbers.length));
    return this.#numbers.subarray(0, length);
  }
}
