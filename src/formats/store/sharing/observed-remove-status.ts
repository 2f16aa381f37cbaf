import { displayTexts, type KnownSet } from "./observed-remove-changes.ts";
import { mergeSharedSets, type SharedSet } from "./observed-remove-set.ts";

/**
 * The state of an item of a shared set between an instance and a remote:
 *
 *     =  on both sides               o  on both sides, but its data is only local
 *     >  only local: to push         d  only remote, removed locally: removal to push
 *     <  only remote: to pull        x  only local, removed remotely: removal to pull
 *     a  only remote, deliberately absent locally
 */
export type Standing = "=" | "o" | ">" | "d" | "<" | "x" | "a";

/** Numbers of items to push and pull of one set. */
export interface SetTally {
  readonly outgoing: number;
  readonly removed: number;
  readonly incoming: number;
  readonly removedRemotely: number;
}

/** Identity of the texts, and which of them are the same item to the user. */
export interface StandingNaming {
  /** See SetNaming. */
  keyOf(text: string): string;
  identityOf(text: string): string;
}

/**
 * The standing of every local or remote item, by identity. `known` includes the local changes; `isThere` reports
 * whether the remote has the data of an identity.
 */
export function standings(
  { set, absent }: KnownSet,
  theirs: SharedSet,
  { keyOf, identityOf }: StandingNaming,
  isThere: (identity: string) => boolean,
): Map<string, Standing> {
  const shown = (of: SharedSet): [identity: string, key: string][] =>
    [...displayTexts(of.additions.values(), keyOf)].map(([key, text]) => [identityOf(text), key]);
  const here = new Map(shown(set).filter(([, key]) => !absent.has(key)));
  const there = new Map(shown(theirs));
  const merged = new Map(shown(mergeSharedSets(set, theirs)));
  const found = new Map<string, Standing>();
  for (const each of here.keys())
    found.set(each, there.has(each) ? (isThere(each) ? "=" : "o") : merged.has(each) ? ">" : "x");
  for (const [each, key] of there)
    if (!here.has(each)) found.set(each, !merged.has(each) ? "d" : absent.has(key) ? "a" : "<");
  return found;
}

/** The items that the instance held when `known` was computed. */
export function itemsHeldAt(known: ReadonlyMap<string, Standing>): Set<string> {
  return new Set([...known].filter(([, standing]) => "=o>x".includes(standing)).map(([name]) => name));
}

/**
 * The numbers of items to push and pull if the instance now holds `held` and the remote is unchanged since `known`.
 */
export function tallyOf(known: ReadonlyMap<string, Standing>, held: ReadonlySet<string>): SetTally {
  const here = [...held].map((name) => known.get(name) ?? ">");
  const elsewhere = [...known].filter(([name]) => !held.has(name)).map(([, standing]) => standing);
  const count = (standings: readonly Standing[], which: string): number =>
    standings.filter((standing) => which.includes(standing)).length;
  return {
    outgoing: count(here, ">o"),
    removed: count(elsewhere, "=od"),
    incoming: count(elsewhere, "<"),
    removedRemotely: count(here, "x"),
  };
}
