import type { CodePlace } from "../../core/profiles/profile-difference.ts";
import type { Costs, FunctionCost } from "./costs.ts";
import { baseName } from "./call-frames.ts";

/** A function before and after; at least one is there. */
export interface Pair {
  readonly before: FunctionCost | null;
  readonly after: FunctionCost | null;
  readonly renamedFrom: CodePlace | null;
}

/** Names that many functions of a profile share. */
const nameless = /^(?:\(anonymous\)|\[?unknown\]?|\?\?|\(.*\))$/;

/** Functions that are compared as to whether one is the other renamed: the costliest of each side. */
const mostRenamed = 200;

/** Callers and callees that two names of one function have at least in common, and how much they cost of each other. */
const leastSimilar = 0.5;

/**
 * The functions of two profiles, each with itself: same name in the same file; else in a file of that name in another
 * folder; else in another file, if only one has the name. What is then left on both sides is a rename if file, cost
 * (within a factor of 2) and at least half of all callers and callees are the same.
 */
export function pairsOf(before: Costs, after: Costs): Pair[] {
  const pairing = new Pairing(before, after);
  for (const [key, each] of before.functions) {
    const same = after.functions.get(key);
    if (same !== undefined) pairing.join(each, same, false);
  }
  pairing.joinUnique(({ place }) => (place.file === null ? null : `${baseName(place.file)}\0${place.name}`), false);
  pairing.joinUnique(({ place }) => (nameless.test(place.name) ? null : place.name), true);
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
    this.#pairs.push({ before, after, renamedFrom: isRenamed ? before.place : null });
  }

  /** Those that have a word to themselves on either side. */
  joinUnique(wordOf: (each: FunctionCost) => string | null, isRenamed: boolean): void {
    const [gone, fresh] = [uniqueBy(this.#gone, wordOf), uniqueBy(this.#new, wordOf)];
    for (const [word, before] of gone) {
      const after = fresh.get(word);
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

  /** The share of callers and callees that two functions have in common; 0 unless file and cost fit. */
  #similarity(before: FunctionCost, after: FunctionCost): number {
    const [less, more] = [before.inclusive, after.inclusive].sort((a, b) => a - b) as [number, number];
    if (less * 2 < more || more <= 0 || baseName(before.place.file ?? "") !== baseName(after.place.file ?? ""))
      return 0;
    const own = [...this.#neighbours(before)];
    const others = neighbours(after, this.#after);
    const both = own.filter((each) => others.has(each)).length;
    return both === 0 ? 0 : both / (own.length + others.size - both);
  }

  /** As their partners after; those without one are themselves. */
  *#neighbours(before: FunctionCost): Generator<FunctionCost> {
    for (const each of neighbours(before, this.#before)) yield this.#partners.get(each) ?? each;
  }
}

function neighbours({ callers, callees }: FunctionCost, { functions }: Costs): Set<FunctionCost> {
  return new Set([...callers, ...callees].flatMap((key) => functions.get(key) ?? []));
}

/** null: several have the word. */
function uniqueBy(
  all: Iterable<FunctionCost>,
  wordOf: (each: FunctionCost) => string | null,
): Map<string, FunctionCost | null> {
  const found = new Map<string, FunctionCost | null>();
  for (const each of all) {
    const word = wordOf(each);
    if (word !== null) found.set(word, found.has(word) ? null : each);
  }
  return found;
}

function costliest(all: Iterable<FunctionCost>): FunctionCost[] {
  return [...all].sort((a, b) => b.inclusive - a.inclusive).slice(0, mostRenamed);
}
