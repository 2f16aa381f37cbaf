import { Failure } from "../../core/failures/failure.ts";
import type { Value } from "../../core/values/value.ts";
import { variety, type Coded } from "./coded-column.ts";
import type { Gap } from "./finding.ts";
import type { ParameterSets } from "./parameter-sets.ts";
import type { Sample } from "./sample.ts";

/** The full matrix of contents against what was measured. */
export interface Coverage {
  /** Names of the parameters that make the matrix. */
  readonly parameters: readonly string[];
  /** Parameters that were left out, since the matrix would be too large. */
  readonly leftOut: readonly { readonly name: string; readonly contents: number }[];
  /** Combinations of all contents, and those of them that have values. */
  readonly possible: number;
  readonly measured: number;
  /** Values that each combination should have. */
  readonly wanted: number;
  /** Values that a run usually brings for a set it measures. */
  readonly perRun: number;
  /** Those never measured among those with the fewest values first; equal ones in order of contents. */
  readonly gaps: readonly Gap[];
}

/** Combinations that are looked through where the user names the parameters, and where nobody does. */
const mostNamed = 1_000_000;
const mostByItself = 10_000;

export interface Wanted {
  /** Values that each combination should have; absent: as many as most of those measured have. */
  readonly least?: number;
  /** Whether the user chose the parameters, so that none may be left out. */
  readonly isNamed: boolean;
}

/** Of several results the one with the fewest values counts. Fails with `matrix-too-large`. */
export function coverageOf(sets: ParameterSets, samples: readonly Sample[], { least, isNamed }: Wanted): Coverage {
  const axes = isNamed ? requireSmall(sets.parameters) : smallest(sets.parameters);
  const counts = cellCounts(sets, axes, samples);
  const measured = counts.filter((count) => count > 0);
  const wanted = least ?? mostCommon(measured);
  const gaps: Gap[] = [];
  counts.forEach((values, cell) => {
    if (values < wanted)
      gaps.push({ kind: "gap", set: new Map(cellContents(axes, cell)), values, lacking: wanted - values });
  });
  return {
    parameters: axes.map(({ variable }) => variable.name),
    leftOut: sets.parameters
      .filter((each) => !axes.includes(each))
      .map((each) => ({ name: each.variable.name, contents: variety(each) })),
    possible: counts.length,
    measured: measured.length,
    wanted,
    perRun: usualPerRun(samples[0]),
    gaps: gaps.sort((a, b) => a.values - b.values),
  };
}

function requireSmall(parameters: readonly Coded[]): readonly Coded[] {
  const size = sizeOf(parameters);
  if (size > mostNamed)
    throw new Failure("matrix-too-large", {
      parameters: parameters.map(({ variable }) => variable.name).join(", "),
      size,
      most: mostNamed,
    });
  return parameters;
}

/** As many parameters as the matrix has room for, those with the fewest contents first. */
function smallest(parameters: readonly Coded[]): readonly Coded[] {
  const chosen: Coded[] = [];
  for (const each of parameters.toSorted((a, b) => variety(a) - variety(b)))
    if (sizeOf([...chosen, each]) <= mostByItself) chosen.push(each);
  return parameters.filter((each) => chosen.includes(each));
}

function sizeOf(axes: readonly Coded[]): number {
  return axes.reduce((size, axis) => size * variety(axis), 1);
}

/** Values of each combination, the last parameter changing fastest. Sets without content of a parameter are in none. */
function cellCounts(sets: ParameterSets, axes: readonly Coded[], samples: readonly Sample[]): Float64Array {
  const perResult = samples.map(({ starts }) => {
    const counts = new Float64Array(sizeOf(axes));
    for (let set = 0; set < sets.count; set++) {
      const cell = cellOf(sets, axes, set);
      if (cell >= 0) counts[cell] = (counts[cell] as number) + (starts[set + 1] as number) - (starts[set] as number);
    }
    return counts;
  });
  return (perResult[0] ?? new Float64Array(0)).map((_, cell) =>
    Math.min(...perResult.map((counts) => counts[cell] as number)),
  );
}

function cellOf(sets: ParameterSets, axes: readonly Coded[], set: number): number {
  let cell = 0;
  for (const axis of axes) {
    const place = (sets.members[set]?.[sets.parameters.indexOf(axis)] ?? 0) - (axis.contents[0] === null ? 1 : 0);
    if (place < 0) return -1;
    cell = cell * variety(axis) + place;
  }
  return cell;
}

function cellContents(axes: readonly Coded[], cell: number): [string, Value][] {
  let rest = cell;
  return axes
    .toReversed()
    .map((axis): [string, Value] => {
      const place = (rest % variety(axis)) + (axis.contents[0] === null ? 1 : 0);
      rest = Math.floor(rest / variety(axis));
      return [axis.variable.name, axis.contents[place] ?? null];
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

/** The greater of several. */
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
