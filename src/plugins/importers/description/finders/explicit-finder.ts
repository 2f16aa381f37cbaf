import type { ExplicitLocation } from "../../../../formats/descriptions/index.ts";
import type { Finder, Spot } from "./finder.ts";
import { markerOf, nextSelectedRow } from "../row-mark.ts";

type Entry = Pick<ExplicitLocation, "position" | "repetition" | "typed" | "blanks">;

/**
 * Finds the entry of the row that a number, a keyword or a pattern selects. `fits`: the word is of the variable's type,
 * for entries that count only such words. `whenMissing`: the text of a row without the entry.
 */
export function explicitFinder(
  location: ExplicitLocation,
  fits: (word: string) => boolean,
  whenMissing: Spot | undefined,
): Finder {
  const marker = markerOf(location.row);
  return {
    literals: marker.literals,
    everyLine: marker.everyLine,
    ...(marker.onlyLiterals === undefined ? {} : { onlyLiterals: marker.onlyLiterals }),
    nextRow: (from) => nextSelectedRow(marker, from),
    spots: ({ line }) => {
      if (!marker.marks(line)) return [];
      const text = entryText(line.rest(line.start), location, fits);
      const whole = location.position.kind === "characters" ? { isWhole: true as const } : {};
      const spot = text === undefined ? whenMissing : { text, ...whole };
      return spot ? [spot] : [];
    },
    count: ({ line }) => (marker.marks(line) ? 1 : 0),
    reset: () => {},
  };
}

/** The text from an entry of a row on: of the n-th, or of the first after the n-th occurrence of a keyword. */
export function entryText(row: string, entry: Entry, fits: (word: string) => boolean): string | undefined {
  const { position, repetition } = entry;
  if (position.kind === "relative") return undefined;
  if (position.kind === "number") return nthEntry(row, position.number, entry, fits);
  if (position.kind === "characters") return charactersOf(row, position) || undefined;
  const at = occurrence(row, position.text, repetition);
  if (at < 0) return undefined;
  const rest = row.slice(at + position.text.length);
  return nthEntry(beforeSign(rest, position.text.trim(), repetition > 1), 1, entry, fits);
}

function charactersOf(row: string, { first, last }: { readonly first: number; readonly last?: number }): string {
  return Array.from(row)
    .slice(first - 1, last)
    .join("")
    .trim();
}

/**
 * The text up to the next `sign`, if that is a colon or a bar, which separate entries. A colon between two digits is
 * part of a time, unless the colons of the row are counted.
 */
function beforeSign(text: string, sign: string, isCounted: boolean): string {
  if (sign !== ":" && sign !== "|") return text;
  const ends = sign === ":" && !isCounted ? /(?<!\d):|:(?!\d)/ : sign;
  return text.split(ends, 1)[0] ?? text;
}

function nthEntry(row: string, n: number, entry: Entry, fits: (word: string) => boolean): string | undefined {
  let seen = 0;
  for (const word of entriesOf(row, entry.blanks)) {
    if (entry.typed && !fits(word.text)) continue;
    seen += 1;
    if (seen === n) return row.slice(word.at);
  }
  return undefined;
}

/** Offset of the n-th occurrence of `keyword`, or -1; occurrences do not overlap. */
export function occurrence(text: string, keyword: string, n: number): number {
  let at = text.indexOf(keyword);
  for (let seen = 1; seen < n && at >= 0; seen++) at = text.indexOf(keyword, at + keyword.length);
  return at;
}

/** The entries of a row, separated by blanks, with their offsets. */
export function* entriesOf(row: string, blanks = ""): Generator<{ readonly text: string; readonly at: number }> {
  let start = -1;
  for (let at = 0; at <= row.length; at++) {
    const character = row.charAt(at);
    const blank = character.trim() === "" || blanks.includes(character);
    if (!blank && start < 0) start = at;
    if (!blank || start < 0) continue;
    yield { text: row.slice(start, at), at: start };
    start = -1;
  }
}
