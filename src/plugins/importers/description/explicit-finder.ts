import type { ExplicitLocation } from "../../../formats/descriptions/index.ts";
import { InvalidValue } from "../../../core/values/index.ts";
import { hasUnits } from "../../../core/variables/index.ts";
import type { PresentValue, ValueReader, UnfitNumber } from "./value-reader.ts";
import type { Finder } from "./finder.ts";
import { markerOf } from "./row-mark.ts";

/** Finds the value at a position of the row that a number, a keyword or a pattern selects. */
export function explicitFinder(location: ExplicitLocation, reader: ValueReader): Finder {
  const marker = markerOf(location.row);
  const { name, type } = reader.variable;
  const misfit = hasUnits(type)
    ? new InvalidValue(`'${name}': no ${reader.typeName} at its position in this row`)
    : undefined;
  return {
    ...marker,
    reader,
    find: (line) => (marker.marks(line) ? (readEntry(line.rest(line.start), location, reader) ?? misfit) : undefined),
  };
}

type Entry = Pick<ExplicitLocation, "position" | "repetition" | "typed" | "blanks">;

/** The value at an entry of a row: the n-th, or the first after the n-th occurrence of a keyword. */
export function readEntry(row: string, entry: Entry, reader: ValueReader): PresentValue | UnfitNumber | undefined {
  const { position, repetition } = entry;
  if (position.kind === "relative") return undefined;
  if (position.kind === "number") return readNth(row, position.number, entry, reader);
  const at = occurrence(row, position.text, repetition);
  if (at < 0) return undefined;
  const rest = row.slice(at + position.text.length);
  return entry.typed ? readNth(rest, 1, entry, reader) : reader.read(rest);
}

/** Offset of the n-th occurrence of `keyword`, or -1; occurrences do not overlap. */
export function occurrence(text: string, keyword: string, n: number): number {
  let at = text.indexOf(keyword);
  for (let seen = 1; seen < n && at >= 0; seen++) at = text.indexOf(keyword, at + keyword.length);
  return at;
}

function readNth(row: string, n: number, entry: Entry, reader: ValueReader): PresentValue | UnfitNumber | undefined {
  let seen = 0;
  for (const word of entriesOf(row, entry.blanks)) {
    if (entry.typed && !reader.fits(word.text)) continue;
    seen += 1;
    if (seen === n) return reader.read(row.slice(word.at));
  }
  return undefined;
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
