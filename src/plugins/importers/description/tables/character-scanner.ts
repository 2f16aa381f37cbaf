import type { Position } from "../../../../formats/descriptions/index.ts";
import type { Scanner } from "./row-scanner.ts";

const newline = 10;

/** Characters of a line, 1-based. */
export type CharacterRange = Omit<Extract<Position, { kind: "characters" }>, "kind">;

/**
 * Takes entries from fixed positions of a line, counted in characters. Blanks around an entry are ignored; an entry
 * may be empty. A line without text in any of the positions has no entries.
 */
export class CharacterScanner implements Scanner {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  count = 0;
  /** True if a word of the line begins before a range and ends in it, or begins in it and ends after it. */
  cutsWord = false;
  readonly #ranges: readonly CharacterRange[];
  /** Whether the beginning and the end of a range do not adjoin another one. */
  readonly #edges: readonly { readonly first: boolean; readonly last: boolean }[];

  constructor(ranges: readonly CharacterRange[]) {
    this.#ranges = ranges;
    this.#edges = ranges.map(({ first, last }) => ({
      first: first > 1 && ranges.every((other) => other.last !== first - 1),
      last: last !== undefined && ranges.every((other) => other.first !== last + 1),
    }));
    this.starts = new Int32Array(ranges.length);
    this.ends = new Int32Array(ranges.length);
  }

  /** Returns the offset of the row's newline. */
  scan(bytes: Uint8Array, from: number): number {
    const newlineAt = bytes.indexOf(newline, from);
    const end = newlineAt < 0 ? bytes.length : newlineAt;
    let found = false;
    this.cutsWord = false;
    this.#ranges.forEach(({ first, last }, index) => {
      let start = offsetOf(bytes, from, end, first - 1);
      let stop = last === undefined ? end : offsetOf(bytes, start, end, last - first + 1);
      if (this.#cuts(bytes, index, start, stop, end)) this.cutsWord = true;
      while (start < stop && isBlank(bytes[start])) start += 1;
      while (stop > start && isBlank(bytes[stop - 1])) stop -= 1;
      this.starts[index] = start;
      this.ends[index] = stop;
      if (stop > start) found = true;
    });
    this.count = found ? this.#ranges.length : 0;
    return end;
  }

  #cuts(bytes: Uint8Array, index: number, start: number, stop: number, end: number): boolean {
    const edges = this.#edges[index];
    const isInWord = (at: number): boolean => at < end && !isBlank(bytes[at - 1]) && !isBlank(bytes[at]);
    return (edges?.first === true && isInWord(start)) || (edges?.last === true && isInWord(stop));
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);
}

/** The offset `count` characters after `from`, at most `end`. A byte that is not UTF-8 is a character. */
function offsetOf(bytes: Uint8Array, from: number, end: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < end; left--) at += characterLength(bytes, at);
  return Math.min(at, end);
}

function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  for (let more = 1; more < length; more++) if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return 1;
  return length;
}
