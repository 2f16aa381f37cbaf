import type { CodePlace } from "../../core/profile-difference.ts";
import type { Costs, FunctionCost } from "./costs.ts";
import type { Pair } from "./pairs.ts";

/** Cost moved within a function when what it costs with all it calls changed by no more than this share of what moved. */
const tolerance = 0.2;

/** In a function that costs more than this many times what moved, something else that changed would hide it. */
const greatestDomain = 50;

/**
 * Recognises cost that only moved (as FBDetect's cost shifts): a function costs more or less by itself, but the function with all it calls, or one that calls
 * it, costs the same as before. Answers that function, the smallest of them; null where there is none. Only functions of both profiles can tell.
 */
export class Movements {
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
