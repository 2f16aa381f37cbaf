import type {
  CodePlace,
  Cost,
  CostChange,
  DifferenceGrouping,
  ProfileDifference,
} from "../../core/profiles/profile-difference.ts";
import type { Run } from "../../core/profiles/run.ts";
import { costsIn, costsOf, type Costs, type FunctionCost } from "./costs.ts";
import { baseName } from "./call-frames.ts";
import { pairsOf, type Pair } from "./function-pairs.ts";

/**
 * Cost moved within a function when what it costs with all it calls changed by no more than this share of what moved.
 */
const tolerance = 0.2;

/** In a function that costs more than this many times what moved, something else that changed would hide it. */
const greatestDomain = 50;

/**
 * Recognises cost that only moved (as FBDetect's cost shifts): a function costs more or less by itself, but the
 * function with all it calls, or one that calls it, costs the same as before. Answers that function, the smallest of
 * them; null where there is none. Only functions of both profiles can tell.
 */
class Movements {
  readonly #before: Costs;
  readonly #after: Costs;
  readonly #pairs = new Map<FunctionCost, Pair>();
  readonly #scale: number;

  /** `scale`: what the costs before are multiplied by. */
  constructor(before: Costs, after: Costs, pairs: readonly Pair[], scale: number) {
    this.#before = before;
    this.#after = after;
    this.#scale = scale;
    for (const pair of pairs)
      for (const side of [pair.before, pair.after]) if (side !== null) this.#pairs.set(side, pair);
  }

  /** `change`: of what the function costs by itself. */
  within(pair: Pair, change: number): CodePlace | null {
    if (change === 0) return null;
    const steady = this.#domains(pair).filter((domain) => this.#isSteady(domain, Math.abs(change)));
    steady.sort((a, b) => a.before!.inclusive - b.before!.inclusive);
    return steady[0]?.after?.place ?? null;
  }

  #domains(pair: Pair): Pair[] {
    const callers = [...callersOf(pair.before, this.#before), ...callersOf(pair.after, this.#after)];
    return [...new Set([pair, ...callers.flatMap((caller) => this.#pairs.get(caller) ?? [])])];
  }

  #isSteady({ before, after }: Pair, moved: number): boolean {
    if (before === null || after === null) return false;
    const cost = before.inclusive * this.#scale;
    return Math.abs(after.inclusive - cost) <= tolerance * moved && cost <= greatestDomain * moved;
  }
}

function callersOf(each: FunctionCost | null, { functions }: Costs): FunctionCost[] {
  return [...(each?.callers ?? [])].flatMap((key) => functions.get(key) ?? []);
}

export interface DifferenceOptions {
  readonly by: DifferenceGrouping;
  /**
   * Compares shares of the whole instead of amounts: what is before is scaled so that it has the total of what is
   * after.
   */
  readonly isNormalised: boolean;
  /** Rows with a smaller share of all that changed are left out. */
  readonly minShare: number;
  /** Most rows of a quantity. */
  readonly limit: number;
}

/**
 * The differences of two profiles, one for each quantity that both have, in the order and the units of the first; empty
 * when they have none in common. Amounts of the same name that measure different things are none.
 */
export function profileDifference(before: Run, after: Run, options: DifferenceOptions): ProfileDifference[] {
  const [all, others] = [costsOf(before.data), costsOf(after.data)];
  return [...all].flatMap(([metric, costs]) => {
    const measured = others.get(metric);
    const other = measured === undefined ? null : costsIn(measured, costs.unit);
    return other === null ? [] : [differenceOf(metric, costs, other, options)];
  });
}

function differenceOf(metric: string, before: Costs, after: Costs, options: DifferenceOptions): ProfileDifference {
  const { by, isNormalised, minShare, limit } = options;
  const scale = isNormalised && after.total !== 0 && before.total !== 0 ? after.total / before.total : 1;
  const changed = rowsBy[by](before, after, scale).filter(({ change }) => change !== 0 && Number.isFinite(change));
  const whole = changed.reduce((sum, { change }) => sum + Math.abs(change), 0);
  const shared = changed.map((row) => ({ ...row, share: Number.isFinite(whole) ? row.change / whole : 0 }));
  shared.sort((a, b) => Math.abs(b.share) - Math.abs(a.share) || byName(a, b));
  const rows = shared.filter(({ share }) => Math.abs(share) >= minShare).slice(0, limit);
  const { unit } = before;
  return {
    metric,
    unit,
    by,
    isNormalised,
    before: before.total,
    after: after.total,
    rows,
    omitted: shared.length - rows.length,
  };
}

const rowsBy = { function: functionRows, file: fileRows, stack: stackRows } as const;

function functionRows(before: Costs, after: Costs, scale: number): CostChange[] {
  const pairs = pairsOf(before, after);
  const movements = new Movements(before, after, pairs, scale);
  return pairs.map((pair): CostChange => {
    const sides = { before: costOf(pair.before, scale), after: costOf(pair.after, 1) };
    const change = changeOf(sides);
    return {
      ...placeOf(pair),
      ...sides,
      change,
      share: 0,
      renamedFrom: pair.renamedFrom,
      movedWithin: movements.within(pair, change),
    };
  });
}

function placeOf({
  before,
  after,
}: {
  readonly before: { place: CodePlace } | null;
  readonly after: { place: CodePlace } | null;
}): CodePlace {
  return (after ?? before)!.place;
}

function costOf(cost: Cost | null, scale: number): Cost | null {
  return cost && { self: cost.self * scale, inclusive: cost.inclusive * scale };
}

/** Files go by their names without folders, which differ between trees, unless a profile has several of that name. */
function fileRows(before: Costs, after: Costs, scale: number): CostChange[] {
  const paths = [before, after].map(
    ({ functions }) => new Set([...functions.values()].flatMap(({ place }) => place.file ?? [])),
  );
  const counts = paths.map((all) => countsOf([...all].map(baseName)));
  const wordOf = (path: string): string =>
    counts.every((count) => (count.get(baseName(path)) ?? 0) <= 1) ? baseName(path) : path;
  const sums = ({ functions }: Costs): Map<string, number> => {
    const found = new Map<string, number>();
    for (const { place, self } of functions.values()) {
      const word = place.file === null ? "" : wordOf(place.file);
      found.set(word, (found.get(word) ?? 0) + self);
    }
    return found;
  };
  return flatRows(sums(before), sums(after), scale).map((row) =>
    row.name === "" ? { ...row, name: "(unknown)" } : { ...row, file: row.name },
  );
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function stackRows(before: Costs, after: Costs, scale: number): CostChange[] {
  return flatRows(before.stacks, after.stacks, scale);
}

function flatRows(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  scale: number,
): CostChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => {
    const sides = { before: flatCost(before.get(name), scale), after: flatCost(after.get(name), 1) };
    return { name, file: null, ...sides, change: changeOf(sides), share: 0, renamedFrom: null, movedWithin: null };
  });
}

function flatCost(amount: number | undefined, scale: number): Cost | null {
  return amount === undefined ? null : { self: amount * scale, inclusive: amount * scale };
}

function changeOf({ before, after }: Pick<CostChange, "before" | "after">): number {
  return (after?.self ?? 0) - (before?.self ?? 0);
}

function byName(a: CodePlace, b: CodePlace): number {
  const [one, other] = [`${a.name}\0${a.file}`, `${b.name}\0${b.file}`];
  return one < other ? -1 : one > other ? 1 : 0;
}
