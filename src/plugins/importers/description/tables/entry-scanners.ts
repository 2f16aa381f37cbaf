import type { Position } from "../../../../formats/descriptions/index.ts";
import { mostEntries, type Scanner } from "./row-scanner.ts";
import { wideBlankLength } from "./wide-blanks.ts";

const [newline, tab] = [10, 9];

/** Splits rows at tabs and at several blanks, so that entries may have blanks between their words. */
export class GapScanner implements Scanner {
  readonly starts = new Int32Array(mostEntries);
  readonly ends = new Int32Array(mostEntries);
  count = 0;
  readonly #least: number;

  /** `least`: minimum number of blanks between entries. */
  constructor(least: number) {
    this.#least = least;
  }

  /** Returns the offset of the row's newline. */
  scan(bytes: Uint8Array, from: number): number {
    let start = -1;
    let end = from;
    let blanks = 0;
    this.count = 0;
    let at = from;
    for (; at < bytes.length && bytes[at] !== newline; at++) {
      const byte = bytes[at];
      const length = byte === tab ? 0 : isBlank(byte) ? 1 : wideBlankLength(bytes, at);
      if (length > 0) {
        blanks += 1;
        at += length - 1;
        continue;
      }
      const separates = byte === tab || blanks >= this.#least;
      if (separates && start >= 0) this.#keep(start, end);
      if (byte === tab) start = -1;
      else if (separates || start < 0) start = at;
      end = at + 1;
      blanks = 0;
    }
    if (start >= 0) this.#keep(start, end);
    return at;
  }

  #keep(start: number, end: number): void {
    if (this.count < mostEntries) [this.starts[this.count], this.ends[this.count]] = [start, end];
    if (this.count <= mostEntries) this.count += 1;
  }
}

/** Joins the words of a label into one entry, so that each row has the same number of entries. */
export class LabelScanner implements Scanner {
  readonly #words: Scanner;
  /** 0-based entry of the label. */
  readonly #label: number;
  readonly #entries: number;
  count = 0;

  /** `entries`: of a row, with the label as one. */
  constructor(words: Scanner, label: number, entries: number) {
    this.#words = words;
    this.#label = label;
    this.#entries = entries;
  }

  get starts(): Int32Array {
    return this.#words.starts;
  }

  get ends(): Int32Array {
    return this.#words.ends;
  }

  scan(bytes: Uint8Array, from: number): number {
    const end = this.#words.scan(bytes, from);
    const { count } = this.#words;
    const extra = count - this.#entries;
    this.count = extra > 0 && count <= mostEntries ? this.#entries : count;
    if (this.count === count) return end;
    this.ends[this.#label] = this.ends[this.#label + extra] as number;
    this.starts.copyWithin(this.#label + 1, this.#label + 1 + extra, count);
    this.ends.copyWithin(this.#label + 1, this.#label + 1 + extra, count);
    return end;
  }
}

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
