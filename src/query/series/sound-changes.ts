import { type Direction, sameMachine, type Subject } from "../../core/measurements/index.ts";
import {
  blockError,
  type KnownVariance,
  type LevelChange,
  stepInWalks,
  type SteppedValues,
  type WalkStep,
} from "../../math/detectors/index.ts";
import { areEqualCounts, medianBetween } from "../../math/descriptive/index.ts";
import { studentTail } from "../../math/distributions/index.ts";
import {
  type Doubt,
  fastestDoubt,
  gradualDoubt,
  type LevelCut,
  modesDoubt,
  remedy,
  returnDoubt,
  scatterDoubt,
  straddleDoubt,
} from "./doubt.ts";
import { loadDoubt } from "./disturbance.ts";
import { type Line, runLevel, runsOf, runVariance } from "./line.ts";

/** Significance level of a change against the movement of the level within both sides. */
const blockLevel = 0.05;

/** A change is not larger than the machine's if one of these has at least this share of its size. */
const comparable = 0.5;

/** Changes of a line, divided into those attributed to the code and those that may be the machine's. */
export interface SoundChanges {
  readonly sound: readonly LevelChange[];
  /** By index of the first point of the new level. */
  readonly doubts: ReadonlyMap<number, Doubt>;
  /** The step at each index, if the level walks at random. */
  readonly steps: ReadonlyMap<number, WalkStep | null>;
}

/**
 * Looks for signs that the machine changed instead of the code, in all changes of a line. `calm`: the values without
 * outliers.
 */
export function soundChanges(
  subject: Subject,
  line: Line,
  calm: Float64Array,
  changes: readonly LevelChange[],
): SoundChanges {
  const [doubts, steps] = [new Map<number, Doubt>(), new Map<number, WalkStep | null>()];
  if (changes.length === 0 || line.points?.[0]?.growth !== undefined) return { sound: changes, doubts, steps };
  const cuts = [0, ...changes.map(({ index }) => index), line.values.length];
  const levels = cuts.slice(1).map((to, at) => medianBetween(line.values, cuts[at] as number, to));
  const isExact = levels.every((level, at) =>
    isConstant(runsOf(line, cuts[at] as number, cuts[at + 1] as number), level),
  );
  if (isExact) return { sound: changes, doubts, steps };
  for (const [at, { index }] of changes.entries()) {
    const cut = { from: cuts[at] as number, cut: index, to: cuts[at + 2] as number };
    const step = stepInWalks(walksIn(line, calm, cut));
    steps.set(index, step);
    const doubt =
      returnDoubt(levels, at) ?? loadDoubt(subject, line, cut) ?? machineDoubt(line, step, cut, subject.better);
    if (doubt !== null) doubts.set(index, doubt);
  }
  const sound = changes.filter(({ index }) => !doubts.has(index));
  for (;;) {
    const weakest = leastCertain(line, sound);
    if (weakest === null) break;
    doubts.set((sound.splice(weakest, 1)[0] as LevelChange).index, unsteady);
  }
  const sizes = changes.map(({ index }, at) => [index, sizeOf(levels, at)] as const);
  const largest = Math.max(0, ...sizes.filter(([index]) => doubts.has(index)).map(([, size]) => size));
  for (const [index, size] of sizes)
    if (!doubts.has(index) && largest >= comparable * size) doubts.set(index, unsteady);
  return { sound: sound.filter(({ index }) => !doubts.has(index)), doubts, steps };
}

/**
 * The values of each machine around a change, if all have a level on both sides: machines do not walk together. An
 * unknown machine may be any.
 */
function walksIn({ origins }: Line, calm: Float64Array, { from, cut, to }: LevelCut): readonly SteppedValues[] {
  const all = { values: calm.subarray(from, to), cut: cut - from };
  const machines: { readonly machine: string | null; readonly at: number[] }[] = [];
  for (let at = from; at < to; at++) {
    const machine = origins[at]?.machine ?? null;
    const known = machines.find((each) => sameMachine(each.machine, machine) !== "other");
    if (known === undefined) machines.push({ machine, at: [at] });
    else known.at.push(at);
  }
  const walks = machines.map(({ at }) => ({
    values: Float64Array.from(at, (each) => calm[each] as number),
    cut: at.filter((each) => each < cut).length,
  }));
  const isOnBoth = walks.every((own) => own.cut >= shortest && own.values.length - own.cut >= shortest);
  return isOnBoth ? walks : [all];
}

function machineDoubt(line: Line, step: WalkStep | null, cut: LevelCut, better: Direction): Doubt | null {
  return (
    straddleDoubt(line, cut) ??
    gradualDoubt(step, cut) ??
    scatterDoubt(line, cut, better) ??
    modesDoubt(line, cut, better) ??
    fastestDoubt(line, cut, better, (values, at) => {
      const { p } = blockTest(values, 0, at, values.length);
      // The cut was not chosen by these values.
      return p <= blockLevel;
    })
  );
}

/** The size of a change on a logarithmic scale, for levels of the same sign. */
function sizeOf(levels: readonly number[], at: number): number {
  const [left, right] = [Math.abs(levels[at] as number), Math.abs(levels[at + 1] as number)];
  return Math.abs(Math.log(right / left));
}

const unsteady: Doubt = {
  kind: "unsteady",
  reason: `the level moves as much without a change of level; ${remedy}`,
};

function isConstant(runs: Float64Array, level: number): boolean {
  return runs.every((run) => run === level || (Number.isSafeInteger(run) && areEqualCounts(run, level)));
}

/** The change that stands out least from the movement of the levels around it; null: all stand out. */
function leastCertain(line: Line, changes: readonly LevelChange[]): number | null {
  let [weakest, worst] = [null as number | null, blockLevel];
  for (const [at, { index }] of changes.entries()) {
    const [from, to] = [changes[at - 1]?.index ?? 0, changes[at + 1]?.index ?? line.values.length];
    const p = certainty(line, from, index, to);
    if (p > worst) [weakest, worst] = [at, p];
  }
  return weakest;
}

/**
 * The p of the difference of two levels by their blocks, for the choice of the cut among all (Bonferroni); 1 if blocks
 * of one level differ as much.
 */
function certainty(line: Line, from: number, cut: number, to: number): number {
  const { p, blocks } = blockTest(line.values, from, cut, to, runVariance(line, from, to));
  return Math.min(1, blocks * p);
}

/** The two-sided p at a given cut, and the number of blocks. `known`: the relative variance of each value. */
function blockTest(
  values: Float64Array,
  from: number,
  cut: number,
  to: number,
  known?: KnownVariance,
): { p: number; blocks: number } {
  const scaled = isPositive(values) ? values.map(Math.log) : values;
  const { error, freedom, movement, blocks } = blockError(scaled, from, cut, to, known);
  const change = Math.abs(medianBetween(scaled, cut, to) - medianBetween(scaled, from, cut));
  if (freedom === 0) return { p: 0, blocks };
  return { p: movement >= change ? 1 : 2 * studentTail(change / error, freedom), blocks };
}

function isPositive(values: Float64Array): boolean {
  return values.every((value) => value > 0);
}

/** Most points by which a change is moved, and fewest points of a level. */
const [farthest, shortest] = [5, 3];

/**
 * Changes at the points where all runs fit the levels best, by the sum of absolute deviations: the runs of a disturbed
 * point show its level more clearly than their median. Unchanged for points with a single run.
 */
export function relocated(line: Line, changes: readonly LevelChange[]): readonly LevelChange[] {
  const { points, values } = line;
  if (changes.length === 0 || points === undefined || points.every(({ sample }) => sample.length === 1)) return changes;
  const cuts = [0, ...changes.map(({ index }) => index), values.length];
  for (let at = 1; at < cuts.length - 1; at++) {
    const [from, cut, to] = [cuts[at - 1] as number, cuts[at] as number, cuts[at + 1] as number];
    const first = Math.max(from + shortest, cut - farthest);
    const last = Math.min(to - shortest, cut + farthest);
    cuts[at] = bestCut(line, [runLevel(line, from, cut), runLevel(line, cut, to)], { first, cut, last });
  }
  return changes.map((change, at) => ({ ...change, index: cuts[at + 1] as number }));
}

function bestCut(
  line: Line,
  [left, right]: readonly [number, number],
  { first, cut, last }: { readonly first: number; readonly cut: number; readonly last: number },
): number {
  // Cost of the points from `first` on at the new level, relative to the old one.
  let [sum, own, least, best] = [0, 0, Infinity, cut];
  for (let at = first; at <= last; at++) {
    if (at === cut) own = sum;
    if (sum < least) [least, best] = [sum, at];
    for (const run of runsOf(line, at, at + 1)) sum += Math.abs(run - left) - Math.abs(run - right);
  }
  return least < own ? best : cut;
}
