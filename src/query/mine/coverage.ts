import { Failure } from "../../core/failures/index.ts";
import type { Value } from "../../core/values/index.ts";
import { distinctCount, type CodedColumn } from "./coded-column.ts";
import type { Gap } from "./finding.ts";
import type { ParameterSets } from "./parameter-sets.ts";
import type { Sample } from "./sample.ts";

/** Coverage of the full matrix of parameter values. */
export interface Coverage {
  /** Names of the parameters of the matrix. */
  readonly parameters: readonly string[];
  /** Parameters omitted because the matrix would be too large. */
  readonly omitted: readonly { readonly name: string; readonly valueCount: number }[];
  /** Number of combinations of all values, and of those measured. */
  readonly possible: number;
  readonly measured: number;
  /** Values that each combination should have. */
  readonly expected: number;
  /** Values of a run for one set, usually. */
  readonly perRun: number;
  /** Sets with too few values, those never measured first; equal ones in order of values. */
  readonly gaps: readonly Gap[];
}

/** Largest matrix with parameters selected by the user, and by default. */
const mostNamed = 1_000_000;
const mostByItself = 10_000;

export interface CoverageOptions {
  /** Values that each combination should have; absent: as many as most measured ones have. */
  readonly least?: number;
  /** Whether the user selected the parameters, so none may be omitted. */
  readonly isNamed: boolean;
}

/** Coverage by the result with the fewest values. Fails with `matrix-too-large`. */
export function coverageOf(
  sets: ParameterSets,
  samples: readonly Sample[],
  { least, isNamed }: CoverageOptions,
): Coverage {
  const axes = isNamed ? requireSmall(sets.parameters) : smallest(sets.parameters);
  const counts = cellCounts(sets, axes, samples);
  const measured = counts.filter((count) => count > 0);
  const wanted = least ?? mostCommon(measured);
  const gaps: Gap[] = [];
  counts.forEach((values, cell) => {
    if (values < wanted)
      gaps.push({ kind: "gap", set: new Map(cellValues(axes, cell)), values, missing: wanted - values });
  });
  return {
    parameters: axes.map(({ variable }) => variable.name),
    omitted: sets.parameters
      .filter((each) => !axes.includes(each))
      .map((each) => ({ name: each.variable.name, valueCount: distinctCount(each) })),
    possible: counts.length,
    measured: measured.length,
    expected: wanted,
    perRun: usualPerRun(samples[0]),
    gaps: gaps.sort((a, b) => a.values - b.values),
  };
}

function requireSmall(parameters: readonly CodedColumn[]): readonly CodedColumn[] {
  const size = sizeOf(parameters);
  if (size > mostNamed)
    throw new Failure("matrix-too-large", {
      parameters: parameters.map(({ variable }) => variable.name).join(", "),
      size,
      most: mostNamed,
    });
  return parameters;
}

/** As many parameters as fit into the matrix, those with the fewest values first. */
function smallest(parameters: readonly CodedColumn[]): readonly CodedColumn[] {
  const chosen: CodedColumn[] = [];
  for (const each of parameters.toSorted((a, b) => distinctCount(a) - distinctCount(b)))
    if (sizeOf([...chosen, each]) <= mostByItself) chosen.push(each);
  return parameters.filter((each) => chosen.includes(each));
}

function sizeOf(axes: readonly CodedColumn[]): number {
  return axes.reduce((size, axis) => size * distinctCount(axis), 1);
}

/**
 * Number of values of each combination for the result with the fewest, the last parameter changing fastest. Excludes
 * sets with missing parameters.
 */
function cellCounts(sets: ParameterSets, axes: readonly CodedColumn[], samples: readonly Sample[]): Float64Array {
  const cells = Int32Array.from({ length: sets.count }, (_, set) => cellOf(sets, axes, set));
  const least = new Float64Array(sizeOf(axes)).fill(samples.length === 0 ? 0 : Infinity);
  const counts = new Float64Array(least.length);
  // Most results share the same starts.
  for (const starts of new Set(samples.map((sample) => sample.starts))) {
    counts.fill(0);
    cells.forEach((cell, set) => {
      if (cell >= 0) counts[cell] = (counts[cell] as number) + (starts[set + 1] as number) - (starts[set] as number);
    });
    for (let cell = 0; cell < least.length; cell++)
      least[cell] = Math.min(least[cell] as number, counts[cell] as number);
  }
  return least;
}

function cellOf(sets: ParameterSets, axes: readonly CodedColumn[], set: number): number {
  let cell = 0;
  for (const axis of axes) {
    const position = (sets.members[set]?.[sets.parameters.indexOf(axis)] ?? 0) - (axis.values[0] === null ? 1 : 0);
    if (position < 0) return -1;
    cell = cell * distinctCount(axis) + position;
  }
  return cell;
}

function cellValues(axes: readonly CodedColumn[], cell: number): [string, Value][] {
  let rest = cell;
  return axes
    .toReversed()
    .map((axis): [string, Value] => {
      const position = (rest % distinctCount(axis)) + (axis.values[0] === null ? 1 : 0);
      rest = Math.floor(rest / distinctCount(axis));
      return [axis.variable.name, axis.values[position] ?? null];
    })
    .reverse();
}

function usualPerRun(sample: Sample | undefined): number {
  if (sample === undefined) return 1;
  const { starts, runs } = sample;
  const counts: number[] = [];
  for (let set = 0; set + 1 < starts.length; set++) {
    for (let at = starts[set] as number; at < (starts[set + 1] as number); at++) {
      if (at === starts[set] || runs[at] !== runs[at - 1]) counts.push(0);
      counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    }
  }
  return Math.max(1, mostCommon(Float64Array.from(counts)));
}

/** The most common count; the larger one of equally common ones. */
function mostCommon(counts: Float64Array): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  let best = 0;
  for (const [count, number] of times) {
    const most = times.get(best) ?? 0;
    if (number > most || (number === most && count > best)) best = count;
  }
  return best;
}
