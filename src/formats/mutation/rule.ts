/** Numbers in [0, 1). */
export type Random = () => number;

/**
 * One way to change an input sample. Pure: the same bytes and random numbers give the same result, and the given bytes
 * are not modified.
 */
export interface MutationRule {
  readonly name: string;
  readonly synopsis: string;
  readonly family: "pattern" | "text" | "xml" | "binary";
  /**
   * The changed bytes, equal to the given ones if there is nothing to change. Rules that repeat data stop soon after
   * `limit` bytes.
   */
  apply(bytes: Uint8Array, random: Random, limit: number): Uint8Array;
}

/** A sample that a rule derived from another. */
interface Mutation {
  readonly bytes: Uint8Array;
  /** How often the rule was applied. */
  readonly times: number;
}

const mostTimes = 10;

/** Applies a rule one to ten times and truncates the result to `limit` bytes. Null if nothing changed. */
export function mutate(rule: MutationRule, bytes: Uint8Array, random: Random, limit: number): Mutation | null {
  const times = between(1, mostTimes, random);
  let mutated = bytes;
  for (let time = 0; time < times; time++) mutated = rule.apply(mutated, random, limit).subarray(0, limit);
  return sameBytes(mutated, bytes) ? null : { bytes: mutated, times };
}

/** A random integer from `least` to `most`. */
export function between(least: number, most: number, random: Random): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** How often data of the given length can be repeated within the limit; at least once. */
export function copies(wanted: number, length: number, limit: number): number {
  return Math.max(1, Math.min(wanted, Math.ceil(limit / Math.max(1, length))));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
