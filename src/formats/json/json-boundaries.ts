import type { JsonWindow } from "./json-window.ts";

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c] as const;
/** Kinds of the bytes that matter between values; 0 is the end of the window. */
const [ordinary, opening, closing, other] = [0, 1, 2, 3] as const;
const kinds = new Uint8Array(256).fill(ordinary);
for (const byte of [0x7b, 0x5b]) kinds[byte] = opening;
for (const byte of [0x7d, 0x5d]) kinds[byte] = closing;
for (const byte of [quote, comma, 0]) kinds[byte] = other;
/** The same within nested values, whose commas do not matter. */
const innerKinds = kinds.slice();
innerKinds[comma] = ordinary;
/** 1 for bytes without meaning in a string. */
const plain = new Uint8Array(256).fill(1);
for (const byte of [quote, backslash, 0]) plain[byte] = 0;

/**
 * Finds the ends of values piece by piece: the commas and the closing bracket after them. It only tracks strings and
 * brackets and does not validate the JSON between them.
 */
export class JsonBoundaries {
  readonly #window: JsonWindow;
  /** Offset in the document up to which bytes were scanned. */
  #seen: number;
  #depth = 0;
  #inString = false;

  /** Starts at the window's position. */
  constructor(window: JsonWindow) {
    this.#window = window;
    this.#seen = window.base + window.pos;
  }

  /** The offset of the next comma, which is passed, or of the closing bracket; −1 at the end of the window. */
  next(): number {
    const { bytes, base, end } = this.#window;
    let at = this.#seen - base;
    for (;;) {
      if (this.#inString) {
        at = this.#passString(at);
        if (this.#inString) break;
      }
      const passed = this.#depth > 0 ? innerKinds : kinds;
      while (passed[bytes[at]!] === ordinary) at++;
      const kind = kinds[bytes[at]!];
      if (kind === opening) this.#depth++;
      else if (kind === closing) {
        if (this.#depth === 0) return at;
        this.#depth--;
      } else if (bytes[at] === quote) this.#inString = true;
      else if (bytes[at] === comma) {
        this.#seen = base + at + 1;
        return at;
      } else if (at >= end) break;
      at++;
    }
    this.#seen = base + at;
    return -1;
  }

  /** Continues in a string and returns the offset after it, or the end of the window. */
  #passString(from: number): number {
    const { bytes, end } = this.#window;
    for (let at = from; ; at++) {
      while (plain[bytes[at]!] === 1) at++;
      if (bytes[at] === quote) {
        this.#inString = false;
        return at + 1;
      }
      if (at >= end || (bytes[at] === backslash && at + 1 >= end)) return at;
      if (bytes[at] === backslash) at++;
    }
  }
}
