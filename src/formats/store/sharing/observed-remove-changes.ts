import { compareByCodePoint } from "../../text/index.ts";
import type { SharedSet } from "./observed-remove-set.ts";

/** The last known state of a shared set, which shows what the user changed since. */
export interface KnownSet {
  readonly set: SharedSet;
  /** Keys of items of the set that the instance deliberately does not hold, without removing them. */
  readonly absent: ReadonlySet<string>;
}

/** Identity of the texts of a set. */
export interface SetNaming {
  /** Texts with the same key are the same item to the user; the least of them is shown. */
  keyOf(text: string): string;
  /**
   * A unique id of 16 hex digits for the addition of `text`; `ended` is the number of ended additions of this set.
   */
  idOf(text: string, ended: number): string;
}

/** The least text of each key. */
export function displayTexts(texts: Iterable<string>, keyOf: SetNaming["keyOf"]): Map<string, string> {
  const shown = new Map<string, string>();
  for (const text of texts) {
    const key = keyOf(text);
    const other = shown.get(key);
    if (other === undefined || compareByCodePoint(text, other) < 0) shown.set(key, text);
  }
  return shown;
}

/**
 * The state after the instance's local changes: `held` items that were unknown were added, known items that are not
 * held were removed, and items held in another form were removed and added. Idempotent.
 */
export function withLocalChanges({ set, absent }: KnownSet, held: Iterable<string>, naming: SetNaming): KnownSet {
  const { keyOf } = naming;
  const known = displayTexts(set.additions.values(), keyOf);
  const present = displayTexts(held, keyOf);
  const gone = new Set(
    [...known].filter(([key, text]) => !absent.has(key) && present.get(key) !== text).map(([key]) => key),
  );
  const additions = new Map([...set.additions].filter(([, text]) => !gone.has(keyOf(text))));
  const ended = new Set([...set.ended, ...[...set.additions.keys()].filter((id) => !additions.has(id))]);
  const standing = new Set(additions.values());
  for (const text of present.values()) if (!standing.has(text)) additions.set(naming.idOf(text, ended.size), text);
  return { set: { additions, ended }, absent: stillAbsent(absent, additions, present, keyOf) };
}

function stillAbsent(
  absent: ReadonlySet<string>,
  additions: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
  keyOf: SetNaming["keyOf"],
): ReadonlySet<string> {
  if (absent.size === 0) return absent;
  const shown = displayTexts(additions.values(), keyOf);
  return new Set([...absent].filter((key) => shown.has(key) && shown.get(key) !== present.get(key)));
}

/**
 * The state to store while `merged` replaces `known`, which may be interrupted: `withLocalChanges` treats neither the
 * old nor the new state of an item as a local change. `held` are the items before the merge.
 */
export function duringMerge(
  known: KnownSet,
  merged: SharedSet,
  held: Iterable<string>,
  keyOf: SetNaming["keyOf"],
): KnownSet {
  const additions = new Map([...merged.additions, ...known.set.additions]);
  const ended = new Set([...merged.ended].filter((id) => !additions.has(id)));
  const present = displayTexts(held, keyOf);
  const news = [...displayTexts(additions.values(), keyOf)]
    .filter(([key, text]) => present.get(key) !== text)
    .map(([key]) => key);
  return { set: { additions, ended }, absent: new Set([...known.absent, ...news]) };
}
