import { compareByCodePoint } from "../../text/code-points.ts";
import type { SharedSet } from "./observed-remove-set.ts";

/** What an instance knew of a shared set when it looked last, so that it can tell what its user did since. */
export interface KnownSet {
  readonly set: SharedSet;
  /** Keys of what the set holds and the instance does not, by its own wish: not removed, only not here. */
  readonly absent: ReadonlySet<string>;
}

/** How the texts of a set are told apart. */
export interface SetNaming {
  /** Texts with one key are one thing to the user, told differently; the least of them is shown. */
  keyOf(text: string): string;
  /**
   * 16 hex digits for the addition of `text`, unlike any that was given before; `ended`: how many additions of this set
   * have ended.
   */
  idOf(text: string, ended: number): string;
}

/** The text for each key, the least where there are several. */
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
 * What is known once the instance turns out to hold `held`: what it holds and did not know of was added, what it knew
 * and does not hold was removed, what it holds in another form was removed and added. Doing it again changes nothing.
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
 * What is known while `merged` is being put in place of `known` and it is not certain how far that came: whichever of
 * both `withHeld` meets of a text, it takes it for nobody's doing. `held` is what the instance held before.
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
