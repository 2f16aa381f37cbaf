import { mostEntries, type Scanner } from "./row-scanner.ts";

const [newline, carriageReturn, blank, tab, quote] = [10, 13, 32, 9, 34];

/**
 * Splits rows at a separator, such as the commas of CSV. Entries may be empty. Blanks around entries are ignored.
 * Double quotes may enclose an entry with separators; `starts` and `ends` exclude the quotes.
 */
export class SeparatedScanner implements Scanner {
  readonly starts = new Int32Array(mostEntries);
  readonly ends = new Int32Array(mostEntries);
  count = 0;
  readonly #separator: Uint8Array;

  constructor(separator: string) {
    this.#separator = new TextEncoder().encode(separator);
  }

  /** Returns the offset of the row's newline. A row of blanks has no entries. */
  scan(bytes: Uint8Array, from: number): number {
    const newlineAt = bytes.indexOf(newline, from);
    const end = newlineAt < 0 ? bytes.length : newlineAt;
    const last = end > from && bytes[end - 1] === carriageReturn ? end - 1 : end;
    this.count = 0;
    for (let at = from; at <= last;) at = this.#entry(bytes, at, last);
    if (this.count === 1 && this.starts[0] === this.ends[0]) this.count = 0;
    return end;
  }

  /** Scans the entry that begins at `from`; returns the start of the next one. */
  #entry(bytes: Uint8Array, from: number, last: number): number {
    const start = this.#pastBlanks(bytes, from, last);
    const closing = bytes[start] === quote ? this.#closingQuote(bytes, start, last) : -1;
    const end = this.#nextSeparator(bytes, closing < 0 ? from : closing + 1, last);
    if (closing >= 0) this.#keep(start + 1, closing);
    else this.#keep(Math.min(start, end), this.#beforeBlanks(bytes, start, end));
    return end === last ? last + 1 : end + this.#separator.length;
  }

  #keep(start: number, end: number): void {
    if (this.count < mostEntries) {
      this.starts[this.count] = start;
      this.ends[this.count] = end;
    }
    if (this.count <= mostEntries) this.count += 1;
  }

  #pastBlanks(bytes: Uint8Array, from: number, last: number): number {
    let at = from;
    while (at < last && isBlank(bytes[at]) && !this.#separates(bytes, at)) at += 1;
    return at;
  }

  #beforeBlanks(bytes: Uint8Array, start: number, end: number): number {
    let at = end;
    while (at > start && isBlank(bytes[at - 1])) at -= 1;
    return Math.max(Math.min(start, end), at);
  }

  #nextSeparator(bytes: Uint8Array, from: number, last: number): number {
    for (let at = from; at < last; at++)
      if (this.#separates(bytes, at)) return at + this.#separator.length <= last ? at : last;
    return last;
  }

  #separates(bytes: Uint8Array, at: number): boolean {
    const separator = this.#separator;
    for (let offset = 0; offset < separator.length; offset++)
      if (bytes[at + offset] !== separator[offset]) return false;
    return true;
  }

  /**
   * The position of the closing quote, which a separator or the end of the row follows; -1: none. Two quotes are an
   * escaped quote.
   */
  #closingQuote(bytes: Uint8Array, start: number, last: number): number {
    for (let at = start + 1; at < last; at++) {
      if (bytes[at] !== quote) continue;
      const next = this.#pastBlanks(bytes, at + 1, last);
      if (bytes[at + 1] === quote && at + 1 < last) at += 1;
      else return next === last || this.#separates(bytes, next) ? at : -1;
    }
    return -1;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === blank || byte === tab;
}
