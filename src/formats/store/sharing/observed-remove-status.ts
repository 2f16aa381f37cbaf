import { displayTexts, type KnownSet } from "./observed-remove-changes.ts";
import { mergeSharedSets, type SharedSet } from "./observed-remove-set.ts";

/**
 * How something of a shared set stands between an instance and a remote:
 *
 *     =  it is at both               o  at both, but what it names is only here
 *     >  only here: to be pushed     d  only there, and removed here: that is to be pushed
 *     <  only there: to be pulled    x  only here, and removed there: that is to be pulled
 *     a  only there, and left out here on purpose
 */
export type Standing = "=" | "o" | ">" | "d" | "<" | "x" | "a";

/** What is to be pushed and pulled of one set. */
export interface SetTally {
  readonly outgoing: number;
  readonly removed: number;
  readonly incoming: number;
  readonly removedRemotely: number;
}

/** How texts are told apart, and which of them are the same to the user. */
export interface StandingNaming {
  /** See SetNaming. */
  keyOf(text: string): string;
  identityOf(text: string): string;
}

/**
 * Everything that stands here or there, by its identity. `known`: brought up to what the instance holds; `isThere`:
 * whether the remote has what an identity names.
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

/** What the instance held when `known` was found. */
export function itemsHeldAt(known: ReadonlyMap<string, Standing>): Set<string> {
  return new Set([...known].filter(([, standing]) => "=o>x".includes(standing)).map(([name]) => name));
}

/**
 * What there is to push and pull once the instance holds `held`, and the remote still has what it had when `known` was
 * found.
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
