import type { Run } from "../../core/run.ts";
import type {
  CodePlace,
  Cost,
  CostChange,
  DifferenceGrouping,
  ProfileDifference,
} from "../../core/profile-difference.ts";
import { costsIn, costsOf, type Costs } from "./costs.ts";
import { baseName } from "./frames.ts";
import { Movements } from "./moved.ts";
import { pairsOf } from "./pairs.ts";

export interface DifferenceOptions {
  readonly by: DifferenceGrouping;
  /** Compares shares of the whole instead of amounts: what is before is scaled so that it has the total of what is after. */
  readonly isNormalised: boolean;
  /** Rows with a smaller share of all that changed are left out. */
  readonly minShare: number;
  /** Most rows of a quantity. */
  readonly limit: number;
}

/**
 * The differences of two profiles, one for each quantity that both have, in the order and the units of the first; empty when they have none in common. Amounts
 * of the same name that measure different things are none.
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
