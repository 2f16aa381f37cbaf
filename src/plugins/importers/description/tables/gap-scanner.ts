import { mostEntries, type Scanner } from "./row-scanner.ts";

const [newline, carriageReturn, tab, blank] = [10, 13, 9, 32];

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
    this.count = 0;
    let at = from;
    for (; at < bytes.length && bytes[at] !== newline; at++) {
      const byte = bytes[at];
      if (byte === blank || byte === carriageReturn) continue;
      const separates = byte === tab || at - end >= this.#least;
      if (separates && start >= 0) this.#keep(start, end);
      if (byte === tab) start = -1;
      else if (separates || start < 0) start = at;
      end = at + 1;
    }
    if (start >= 0) this.#keep(start, end);
    return at;
  }

  #keep(start: number, end: number): void {
    if (this.count < mostEntries) [this.starts[this.count], this.ends[this.count]] = [start, end];
    if (this.count <= mostEntries) this.count += 1;
  }
}
