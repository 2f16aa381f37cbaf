import { wideBlankLeads, wideBlankLength } from "./wide-blanks.ts";

/** Entries stored per row; all further ones count as one. */
export const mostEntries = 4096;
const newline = 10;

/** Splits rows into entries directly in the bytes; one scanner serves all rows of a table. */
export interface Scanner {
  /** Offsets of the entries of the row scanned last. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly count: number;
  /** True if the line is drawing only, without entries, and does not end a table. */
  readonly isRule?: boolean;
  /** True if an entry of the line is a part of a word. */
  readonly cutsWord?: boolean;
  /** Returns the offset of the row's newline. */
  scan(bytes: Uint8Array, from: number): number;
}

/** Splits rows at blanks. */
export class RowScanner implements Scanner {
  readonly starts = new Int32Array(mostEntries);
  readonly ends = new Int32Array(mostEntries);
  count = 0;
  /** 0: part of an entry, 1: blank, 2: end of the row, 3: perhaps the beginning of a wide blank. */
  readonly #classes = new Uint8Array(256);

  /** `blanks`: further characters that count as blanks; `isAscii`: only these and blanks of ASCII do. */
  constructor(blanks: string, isAscii = false) {
    if (!isAscii) for (const byte of wideBlankLeads) this.#classes[byte] = 3;
    for (const code of [9, 11, 12, 13, 32]) this.#classes[code] = 1;
    for (const byte of new TextEncoder().encode(blanks)) this.#classes[byte] = 1;
    this.#classes[newline] = 2;
  }

  /**
   * Returns the offset of the row's newline. Entries after the 4,096th are not stored; together they count as one.
   */
  scan(bytes: Uint8Array, from: number): number {
    const { starts, ends } = this;
    const classes = this.#classes;
    let count = 0;
    let at = from;
    for (;;) {
      let kind = classes[bytes[at] as number];
      while (kind === 1) kind = classes[bytes[++at] as number];
      if (kind === 2) break;
      if (kind === 3) {
        const length = wideBlankLength(bytes, at);
        at += length;
        if (length > 0) continue;
      }
      const start = at;
      do kind = classes[bytes[++at] as number];
      while (kind === 0 || (kind === 3 && wideBlankLength(bytes, at) === 0));
      if (count < mostEntries) {
        starts[count] = start;
        ends[count] = at;
      }
      count += 1;
    }
    this.count = Math.min(count, mostEntries + 1);
    return at;
  }
}

/** True for a line of punctuation only, such as a rule below the headings, or an empty line. */
export function isRule(bytes: Uint8Array, { starts, ends, count }: Scanner): boolean {
  if (count === 0) return true;
  for (let at = starts[0] as number; at < (ends[Math.min(count, ends.length) - 1] as number); at++) {
    const byte = bytes[at] as number;
    if ((byte >= 48 && byte <= 57) || ((byte | 32) >= 97 && (byte | 32) <= 122) || byte >= 128) return false;
  }
  return true;
}
