import type { RowLayout } from "../../../../formats/descriptions/index.ts";
import { mostEntries, RowScanner, type Scanner } from "./row-scanner.ts";
import { SeparatedScanner } from "./separated-scanner.ts";
import { GapScanner } from "./entry-scanners.ts";
import type { TextEntry } from "./table-shapes.ts";

const [newline, carriageReturn, tab, blank, bar, backslash] = [10, 13, 9, 32, 124, 92];
/** `+ - : = |` and blanks, which rules consist of, as well as of box drawings. */
const ruleBytes = new Set([9, 32, 43, 45, 58, 61, 124]);

/**
 * Splits the rows of a table that is drawn with bars: Markdown, JUBE, ReFrame, grids of `+---+`. Cells may be empty;
 * blanks around them are ignored; the outer bars belong to the frame. A line without bars has no entries.
 */
export class GridScanner implements Scanner {
  readonly starts = new Int32Array(mostEntries);
  readonly ends = new Int32Array(mostEntries);
  count = 0;
  /** True if the line is a rule of the drawing, such as `|---|---|`. */
  isRule = false;

  /** Returns the offset of the row's newline. */
  scan(bytes: Uint8Array, from: number): number {
    const newlineAt = bytes.indexOf(newline, from);
    const end = newlineAt < 0 ? bytes.length : newlineAt;
    let last = end;
    while (last > from && isBlank(bytes[last - 1])) last -= 1;
    let at = from;
    while (at < last && isBlank(bytes[at])) at += 1;
    this.count = 0;
    this.isRule = isRule(bytes, at, last);
    const frame = barLength(bytes, at, last);
    if (!this.isRule && at < last) this.#cells(bytes, at + frame, last, frame > 0);
    return end;
  }

  /** Without a bar before the first cell, one at the end precedes an empty cell. */
  #cells(bytes: Uint8Array, from: number, last: number, isFramed: boolean): void {
    let start = from;
    let bars = 0;
    for (let at = from; at < last; at++) {
      if (bytes[at] === backslash) {
        at += 1;
        continue;
      }
      const length = barLength(bytes, at, last);
      if (length === 0) continue;
      this.#keep(bytes, start, at);
      bars += 1;
      at += length - 1;
      start = at + 1;
    }
    if (start < last || !isFramed) this.#keep(bytes, start, last);
    // A line without bars is no row.
    if (bars === 0 && !isFramed) this.count = 0;
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    let [start, end] = [from, to];
    while (start < end && isBlank(bytes[start])) start += 1;
    while (end > start && isBlank(bytes[end - 1])) end -= 1;
    if (this.count < mostEntries) [this.starts[this.count], this.ends[this.count]] = [start, end];
    if (this.count <= mostEntries) this.count += 1;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === blank || byte === tab || byte === carriageReturn;
}

/** The bytes of the bar at an offset: `|` or U+2502, U+2503, U+2551; 0: there is none. */
function barLength(bytes: Uint8Array, at: number, last: number): number {
  if (at >= last) return 0;
  if (bytes[at] === bar) return 1;
  if (bytes[at] !== 0xe2 || at + 2 >= last) return 0;
  const [second, third] = [bytes[at + 1], bytes[at + 2]];
  const isBar = (second === 0x94 && (third === 0x82 || third === 0x83)) || (second === 0x95 && third === 0x91);
  return isBar ? 3 : 0;
}

/**
 * True for a line of bars, crossings and strokes with at least one stroke of two characters or of box drawing; a cell
 * of a single `-` is an entry.
 */
function isRule(bytes: Uint8Array, from: number, last: number): boolean {
  let strokes = 0;
  let single = false;
  for (let at = from; at < last; at++) {
    const byte = bytes[at] as number;
    if (byte === 0xe2 && (bytes[at + 1] === 0x94 || bytes[at + 1] === 0x95) && at + 2 < last) {
      if (barLength(bytes, at, last) === 0) strokes += 1;
      at += 2;
    } else if (!ruleBytes.has(byte)) return false;
    else if (byte === 45 || byte === 61) {
      const start = at;
      while (at + 1 < last && bytes[at + 1] === byte) at += 1;
      if (at > start) strokes += 1;
      else if (isBlank(bytes[start - 1]) && (at + 1 >= last || isBlank(bytes[at + 1]))) single = true;
    }
  }
  return strokes > 0 && !single;
}

/** The scanner for lines of a layout; `isAscii`: only blanks of ASCII separate entries. */
export function layoutScanner({ blanks = "", separator, gap, grid }: RowLayout, isAscii = false): Scanner {
  if (grid) return new GridScanner();
  if (gap !== undefined) return new GapScanner(gap);
  return separator === undefined ? new RowScanner(blanks, isAscii) : new SeparatedScanner(separator);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Splits texts into entries as the rows of tables of the same layout. */
export class EntrySplitter {
  readonly #scanner: Scanner;

  constructor(layout: RowLayout, isAscii = false) {
    this.#scanner = layoutScanner(layout, isAscii);
  }

  /** The entries of a line, or of a part of it; undefined for a rule of a drawn table. */
  split(text: string): readonly TextEntry[] | undefined {
    const bytes = encoder.encode(`${text}\n`);
    const scanner = this.#scanner;
    scanner.scan(bytes, 0);
    if (scanner.isRule) return undefined;
    const length = Math.min(scanner.count, scanner.starts.length);
    return Array.from({ length }, (_, index) => {
      const start = scanner.starts[index] as number;
      return {
        text: decoder.decode(bytes.subarray(start, scanner.ends[index])),
        at: decoder.decode(bytes.subarray(0, start)).length,
      };
    });
  }
}
