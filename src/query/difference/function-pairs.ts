import type { CodeLocation } from "../../core/profiles/index.ts";
import type { Costs, FunctionCost } from "./costs.ts";
import { baseName } from "./call-frames.ts";

/** A function before and after; at least one is present. */
export interface Pair {
  readonly before: FunctionCost | null;
  readonly after: FunctionCost | null;
  readonly renamedFrom: CodeLocation | null;
}

/** Names shared by many functions of a profile. */
const nameless = /^(?:\(anonymous\)|\[?unknown\]?|\?\?|\(.*\))$/;

/** Functions of each side considered for renames: the costliest. */
const mostRenamed = 200;

/** Least share of common callers and callees of a renamed function. */
const leastSimilar = 0.5;

/**
 * Matches the functions of two profiles: by name and file, then by name and base name of the file, then by a unique
 * name alone. The remaining ones are renames if file, cost (within a factor of 2) and at least half of all callers and
 * callees agree.
 */
export function pairsOf(before: Costs, after: Costs): Pair[] {
  const pairing = new Pairing(before, after);
  for (const [key, each] of before.functions) {
    const same = after.functions.get(key);
    if (same !== undefined) pairing.join(each, same, false);
  }
  pairing.joinUnique(
    ({ location }) => (location.file === null ? null : `${baseName(location.file)}\0${location.name}`),
    false,
  );
  pairing.joinUnique(({ location }) => (nameless.test(location.name) ? null : location.name), true);
  pairing.joinSimilar();
  return pairing.take();
}

class Pairing {
  readonly #pairs: Pair[] = [];
  readonly #gone: Set<FunctionCost>;
  readonly #new: Set<FunctionCost>;
  readonly #before: Costs;
  readonly #after: Costs;
  readonly #partners = new Map<FunctionCost, FunctionCost>();

  constructor(before: Costs, after: Costs) {
    this.#before = before;
    this.#after = after;
    this.#gone = new Set(before.functions.values());
    this.#new = new Set(after.functions.values());
  }

  join(before: FunctionCost, after: FunctionCost, isRenamed: boolean): void {
    this.#gone.delete(before);
    this.#new.delete(after);
    this.#partners.set(before, after);
    this.#pairs.push({ before, after, renamedFrom: isRenamed ? before.location : null });
  }

  /** Joins functions whose key is unique on either side. */
  joinUnique(keyOf: (each: FunctionCost) => string | null, isRenamed: boolean): void {
    const [gone, fresh] = [uniqueBy(this.#gone, keyOf), uniqueBy(this.#new, keyOf)];
    for (const [key, before] of gone) {
      const after = fresh.get(key);
      if (before !== null && after) this.join(before, after, isRenamed);
    }
  }

  joinSimilar(): void {
    const [gone, fresh] = [costliest(this.#gone), costliest(this.#new)];
    const found = gone.flatMap((before) =>
      fresh
        .map((after) => ({ before, after, similar: this.#similarity(before, after) }))
        .filter(({ similar }) => similar >= leastSimilar),
    );
    found.sort((a, b) => b.similar - a.similar);
    for (const { before, after } of found)
      if (this.#gone.has(before) && this.#new.has(after)) this.join(before, after, true);
  }

  take(): Pair[] {
    const alone = { before: null, after: null, renamedFrom: null };
    return [
      ...this.#pairs,
      ...[...this.#gone].map((before) => ({ ...alone, before })),
      ...[...this.#new].map((after) => ({ ...alone, after })),
    ];
  }

  /** The share of common callers and callees; 0 unless file and cost match. */
  #similarity(before: FunctionCost, after: FunctionCost): number {
    const [less, more] = [before.inclusive, after.inclusive].sort((a, b) => a - b) as [number, number];
    if (less * 2 < more || more <= 0 || baseName(before.location.file ?? "") !== baseName(after.location.file ?? ""))
      return 0;
    const own = [...this.#neighbours(before)];
    const others = neighbours(after, this.#after);
    const both = own.filter((each) => others.has(each)).length;
    return both === 0 ? 0 : both / (own.length + others.size - both);
  }

  /** Neighbours mapped to their partners in the new profile; those without a partner stay. */
  *#neighbours(before: FunctionCost): Generator<FunctionCost> {
    for (const each of neighbours(before, this.#before)) yield this.#partners.get(each) ?? each;
  }
}

function neighbours({ callers, callees }: FunctionCost, { functions }: Costs): Set<FunctionCost> {
  return new Set([...callers, ...callees].flatMap((key) => functions.get(key) ?? []));
}

/** null: the key is not unique. */
function uniqueBy(
  all: Iterable<FunctionCost>,
  keyOf: (each: FunctionCost) => string | null,
): Map<string, FunctionCost | null> {
  const found = new Map<string, FunctionCost | null>();
  for (const each of all) {
    const key = keyOf(each);
    if (key !== null) found.set(key, found.has(key) ? null : each);
  }
  return found;
}

function costliest(all: Iterable<FunctionCost>): FunctionCost[] {
  return [...all].sort((a, b) => b.inclusive - a.inclusive).slice(0, mostRenamed);
}
