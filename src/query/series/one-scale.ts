import { type PointOrigin, sameMachine, type Subject } from "../../core/measurements/index.ts";
import { type MachineScale, percentText } from "../../core/verdicts/index.ts";
import { median, robustScale } from "../../math/descriptive/index.ts";
import type { LevelChange } from "../../math/detectors/index.ts";
import { doubted, type Finding } from "./finding.ts";
import { shortestLevel } from "./level-comparison.ts";
import { type Line, lineAt, multiplied, selectPoints } from "./line.ts";
import type { MachinePoints } from "./same-machine.ts";

/** Points of one machine, or of several on the scale of the newest. */
export interface ComparableLine {
  readonly line: Line;
  /** The machine if points of several are judged; else null. */
  readonly machine: string | null;
  readonly scaled?: readonly MachineScale[];
}

/** Fewest changes from one machine to the other and back, in the order of history, that give the ratio of both. */
const fewestSwitches = 6;

/** Largest ratio of the scatter of two machines: the points of a much noisier one hide what the other shows. */
const mostScatter = 2.5;

/** Largest difference of a machine's share before and after a change: the ratio's error would be part of the change. */
const mostImbalance = 0.5;

/** Standard errors by which machines may disagree about the size of a change. */
const agreement = 3;

/** A machine's points in a line: their indices, the logarithms of all values of the line, and its own scatter. */
interface OwnPoints {
  readonly at: readonly number[];
  readonly logs: Float64Array;
  readonly scatter: number;
  /** Logarithm of the ratio to the newest machine. */
  readonly ratio: number;
}

/**
 * The lines of a series to judge: one with the points of all machines that were measured in turns, each multiplied by
 * its ratio to the newest, and one for each other machine. A ratio is the median over neighbours of different machines,
 * which a change of the code hardly moves. Machines stay apart if they disagree about a change, if a change
 * coincides with a change of machine, or if one alone shows a change that all together do not.
 */
export function comparableLines(
  whole: Line,
  classes: readonly MachinePoints<PointOrigin>[],
  detect: (values: Float64Array) => readonly LevelChange[],
  bridge?: CanaryBridge,
): ComparableLine[] {
  const [first, ...rest] = inTurns(whole, classes, detect);
  if (first === undefined || bridge === undefined || rest.length === 0)
    return [first, ...rest].flatMap((one) => one ?? []);
  const bridged = rest.flatMap(({ machine }) => bridge.scale(machine, first.machine) ?? []);
  const scaled = [...(first.scaled ?? []), ...bridged];
  const apart = rest.filter(({ machine }) => bridged.every((each) => each.machine !== machine));
  return [{ line: scaledLine(whole, first.machine, scaled), machine: first.machine, scaled }, ...apart];
}

function inTurns(
  whole: Line,
  classes: readonly MachinePoints<PointOrigin>[],
  detect: (values: Float64Array) => readonly LevelChange[],
): ComparableLine[] {
  const [only, second] = classes;
  if (only === undefined) return [];
  if (second === undefined) return [{ machine: only.machine, line: selectPoints(whole, only.points) }];
  const logs = whole.values.map(Math.log);
  const [newest, ...others] = classes.map((each) => ({ ...each, ...ownPoints(whole, logs, each) }));
  if (newest === undefined) return [];
  const apart = (each: typeof newest): ComparableLine => ({ machine: each.machine, line: lineAt(whole, each.at) });
  const separate = [newest, ...others].map(apart);
  if (whole.points?.[0]?.growth !== undefined || !isPositive(whole.values)) return separate;
  const joined = others
    .map((each) => ({ ...each, ratio: ratioOf(newest, each) }))
    .filter(({ ratio, scatter }) => Number.isFinite(ratio) && isAlike(scatter, newest.scatter));
  if (joined.length === 0) return separate;
  const scaled = joined.map(({ machine, ratio }) => ({ machine: machine ?? "", factor: Math.exp(-ratio) }));
  const together = scaledLine(whole, newest.machine, scaled);
  const members = [newest, ...joined];
  const changes = detect(together.values);
  const isFound = changes.length > 0 || separate.every(({ line }) => detect(line.values).length === 0);
  if (!isFound || !changes.every((_, i) => isCommon(members, changes, i, together.values.length))) return separate;
  const rest = others.filter(({ machine }) => joined.every((each) => each.machine !== machine));
  return [{ line: together, machine: newest.machine, scaled }, ...rest.map(apart)];
}

/** The points of a machine and of those scaled to it, in order, on its scale. */
export function scaledLine(whole: Line, machine: string | null, scaled: readonly MachineScale[]): Line {
  const factorOf = (other: string | null): number | null => {
    const own = scaled.find((each) => other !== null && sameMachine(each.machine, other) === "same");
    if (own !== undefined) return own.factor;
    return machine === null || sameMachine(machine, other) !== "other" ? 1 : null;
  };
  const factors = whole.origins.map((origin) => factorOf(origin.machine));
  const line = lineAt(
    whole,
    factors.flatMap((factor, at) => (factor === null ? [] : [at])),
  );
  return multiplied(line, Float64Array.from(factors.filter((factor) => factor !== null)));
}

/** The ratios of machines by a benchmark that never changes. */
export class CanaryBridge {
  readonly #name: string;
  readonly #levels: readonly { readonly machine: string | null; readonly level: number }[];

  constructor(name: string, { origins, values }: Line) {
    this.#name = name;
    const logs = values.map(Math.log);
    const known = [...new Set(origins.map(({ machine }) => machine))];
    this.#levels = known.flatMap((machine) => {
      const at = origins.flatMap((origin, i) => (sameMachine(machine, origin.machine) === "same" ? [i] : []));
      return at.length < shortestLevel ? [] : [{ machine, level: levelOf(logs, at) }];
    });
  }

  /** null: the canary was not measured on both machines three times. */
  scale(machine: string | null, newest: string | null): MachineScale | null {
    const levelOn = (other: string | null): number =>
      this.#levels.find((each) => sameMachine(each.machine, other) === "same")?.level ?? Number.NaN;
    const factor = Math.exp(levelOn(newest) - levelOn(machine));
    return machine !== null && Number.isFinite(factor) ? { machine, factor, bridge: this.#name } : null;
  }
}

/** Fewest benchmarks that show how differently benchmarks scale, and the standard deviations that are no accident. */
const [fewestBenchmarks, uncommon] = [5, 3];

/**
 * Doubts changes that coincide with a change of bridged machines, unless the benchmark changed there by far more than
 * the others of its metric: each benchmark gains from a machine in its own way, the canary as well.
 */
export function doubtBridged(
  lines: readonly (ComparableLine & { readonly subject: Subject })[],
  findings: readonly (readonly Finding[])[],
): Finding[][] {
  return lines.map((comparable, at) =>
    (findings[at] as readonly Finding[]).map((finding) => {
      const machine = finding.kind === "change" ? machineAt(comparable, finding) : null;
      if (machine === null) return finding;
      const others = lines.flatMap((each) =>
        each.subject.metric === comparable.subject.metric && each !== comparable
          ? (shiftBetween(each, machine) ?? [])
          : [],
      );
      const usual = median(Float64Array.from(others));
      const spread = uncommon * robustScale(Float64Array.from(others, (shift) => shift - usual));
      const own = shiftBetween(comparable, machine) ?? usual;
      const isKnown = others.length >= fewestBenchmarks;
      if (isKnown && Math.abs(own - usual) > spread) return finding;
      const why = isKnown
        ? `others scatter by ${percentText(Math.expm1(spread))} between both`
        : `it takes ${fewestBenchmarks} others on both to know how benchmarks scale`;
      return doubted(
        finding,
        "bridged",
        `the machine changed as well: ${why}; measure an earlier commit on this machine`,
      );
    }),
  );
}

/** The bridged machine whose share of the points changes most at a finding, if that is much; else null. */
function machineAt({ line: { origins }, scaled = [] }: ComparableLine, { at }: Finding): string | null {
  const cut = origins.findIndex(({ version }) => version !== null && version === at);
  const shareIn = (machine: string, from: number, to: number): number => {
    const own = origins.slice(from, to).filter((origin) => sameMachine(machine, origin.machine) === "same");
    return own.length / (to - from);
  };
  const changed = scaled.find(({ machine, bridge }) => {
    const imbalance = shareIn(machine, 0, cut) - shareIn(machine, cut, origins.length);
    return bridge !== undefined && cut > 0 && Math.abs(imbalance) > mostImbalance;
  });
  return changed?.machine ?? null;
}

/** The logarithm of the newest machine's level to that of a bridged one; null: not measured on both. */
function shiftBetween({ line, machine: newest, scaled = [] }: ComparableLine, machine: string): number | null {
  if (scaled.every((each) => sameMachine(each.machine, machine) !== "same")) return null;
  const on = (wanted: string | null): number[] =>
    line.origins.flatMap((origin, at) => (sameMachine(wanted, origin.machine) === "same" ? [at] : []));
  const logs = line.values.map(Math.log);
  const shift = levelOf(logs, on(newest)) - levelOf(logs, on(machine));
  return Number.isFinite(shift) ? shift : null;
}

function levelOf(logs: Float64Array, at: readonly number[]): number {
  return median(Float64Array.from(at, (position) => logs[position] as number));
}

function ownPoints({ origins }: Line, logs: Float64Array, { points }: MachinePoints<PointOrigin>): OwnPoints {
  const kept = new Set(points);
  const at = origins.flatMap((origin, i) => (kept.has(origin) ? [i] : []));
  const steps = at.slice(1).map((to, i) => Math.abs((logs[to] as number) - (logs[at[i] as number] as number)));
  // The standard deviation by the mean difference of neighbours (normal noise), which a single step hardly moves.
  const scatter = (steps.reduce((sum, each) => sum + each, 0) / steps.length) * (Math.sqrt(Math.PI) / 2);
  return { at, logs, scatter, ratio: 0 };
}

/** The median logarithm of the ratio of neighbours; NaN: too few. */
function ratioOf(newest: OwnPoints, other: OwnPoints): number {
  const isOther = new Set(other.at);
  const order = [...newest.at, ...other.at].sort((a, b) => a - b);
  const ratios = order.slice(1).flatMap((to, i) => {
    const from = order[i] as number;
    if (isOther.has(from) === isOther.has(to)) return [];
    const step = (other.logs[to] as number) - (other.logs[from] as number);
    return [isOther.has(to) ? step : -step];
  });
  return ratios.length < fewestSwitches ? Number.NaN : median(Float64Array.from(ratios));
}

/** Without scatter, as counters are, each machine shows every change by itself. */
function isAlike(a: number, b: number): boolean {
  return a > 0 && b > 0 && a <= mostScatter * b && b <= mostScatter * a;
}

/** Whether a change of the joined line is one of all machines. */
function isCommon(members: readonly OwnPoints[], changes: readonly LevelChange[], i: number, length: number): boolean {
  const order = members.flatMap(({ at }) => at).sort((a, b) => a - b);
  const firstOf = (position: number): number => order[position] ?? Infinity;
  const cut = firstOf(changes[i]?.index ?? 0);
  const from = firstOf(changes[i - 1]?.index ?? 0);
  const to = firstOf(changes[i + 1]?.index ?? length);
  const sides = members.map(({ at }) => [
    at.filter((position) => position >= from && position < cut),
    at.filter((position) => position >= cut && position < to),
  ]);
  const count = (side: number): number => sides.reduce((sum, own) => sum + (own[side]?.length ?? 0), 0);
  const isBalanced = sides.every(
    ([before = [], after = []]) => Math.abs(before.length / count(0) - after.length / count(1)) <= mostImbalance,
  );
  if (!isBalanced) return false;
  const shifts = members.flatMap((member, k) => shiftOf(member, sides[k] as readonly number[][]) ?? []);
  const isAgreed = (a: Shift, b: Shift): boolean =>
    Math.abs(a.size - b.size) <= agreement * Math.hypot(a.error, b.error);
  return shifts.every((shift) => isAgreed(shift, shifts[0] as Shift));
}

interface Shift {
  readonly size: number;
  readonly error: number;
}

/** null: too few points on a side. */
function shiftOf(
  { logs, scatter }: OwnPoints,
  [before = [], after = []]: readonly (readonly number[])[],
): Shift | null {
  if (Math.min(before.length, after.length) < shortestLevel) return null;
  // A median has an error of 1.25 times that of a mean.
  const error = 1.25 * scatter * Math.sqrt(1 / before.length + 1 / after.length);
  return { size: levelOf(logs, after) - levelOf(logs, before), error };
}

function isPositive(values: Float64Array): boolean {
  return values.every((value) => value > 0);
}
