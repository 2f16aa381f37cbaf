import { Failure } from "../../core/failures/index.ts";
import { KeySet } from "./json-keys.ts";
import { decodeString, isUtf8, plain } from "./json-string.ts";

/** Called with each member of an object; the returned function is called with the members of that member. */
export type Visit = (key: string) => Visit | undefined;

/** Maximum nesting, which protects the stack from hostile documents. */
const depthLimit = 256;

const Q = 0x22;
const BACKSLASH = 0x5c;

/**
 * A cursor over the bytes of a JSON document. `check` reads a value strictly (grammar, UTF-8, depth); `pass` skips one
 * that was checked before. Accepts what Python accepts: RFC 8259 plus `NaN`, `Infinity` and `-Infinity`. Fails with
 * `not-json`.
 */
export class JsonScanner {
  readonly bytes: Uint8Array;
  /** Name of the document for messages. */
  readonly file: string;
  pos = 0;
  /** True if a checked object had a duplicate key. */
  duplicates = false;
  #depth = 0;
  #visit: Visit | undefined;
  readonly #keys: KeySet;

  constructor(bytes: Uint8Array, file: string) {
    this.bytes = bytes;
    this.file = file;
    this.#keys = new KeySet(bytes);
  }

  /**
   * Checks that the bytes are one JSON value surrounded only by blanks, and restores the cursor. `visit` is called with
   * each member of an outermost object, with the cursor at its value.
   */
  checkDocument(visit?: Visit): void {
    const start = this.pos;
    this.#visit = visit;
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb) throw this.failure("the file begins with a byte order mark");
    this.check();
    this.blanks();
    if (this.pos < this.bytes.length) throw this.failure("there is more after the end of the document");
    this.pos = start;
  }

  /** Moves to the next non-blank byte and returns it; undefined at the end. */
  blanks(): number | undefined {
    const { bytes } = this;
    let byte = bytes[this.pos];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.pos];
    return byte;
  }

  /** Checks one value and moves past it. */
  check(): void {
    const byte = this.blanks();
    if (byte === Q) this.#checkString();
    else if (byte === 0x7b) this.#checkObject();
    else if (byte === 0x5b) this.#checkList();
    else this.#checkScalar(byte);
  }

  #enter(): void {
    if (++this.#depth > depthLimit) throw this.failure(`nested deeper than ${depthLimit} levels`);
    this.pos++;
  }

  #checkObject(): void {
    this.#enter();
    const mark = this.#keys.open();
    if (this.blanks() !== 0x7d) {
      for (;;) {
        if (this.blanks() !== Q) throw this.failure("expected a key in double quotes");
        const start = this.pos;
        this.#checkString();
        if (this.#keys.add(mark, start, this.pos)) this.duplicates = true;
        const end = this.pos;
        this.colon();
        if (this.#visit) this.#checkVisited(this.#visit, start, end);
        else this.check();
        if (!this.comma(0x7d)) break;
      }
    }
    this.#keys.close(mark);
    this.pos++;
    this.#depth--;
  }

  #checkVisited(visit: Visit, start: number, end: number): void {
    const isObject = this.blanks() === 0x7b;
    const inner = visit(decodeString(this.bytes, start, end));
    this.#visit = isObject ? inner : undefined;
    this.check();
    this.#visit = visit;
  }

  #checkList(): void {
    this.#enter();
    if (this.blanks() !== 0x5d) {
      do this.check();
      while (this.comma(0x5d));
    }
    this.pos++;
    this.#depth--;
  }

  /** Moves past the colon after a key. */
  colon(): void {
    if (this.blanks() !== 0x3a) throw this.failure("expected ':' after the key");
    this.pos++;
  }

  /** Moves past a comma and returns true; false at `end`, which is not consumed. */
  comma(end: number): boolean {
    const byte = this.blanks();
    if (byte === 0x2c) {
      this.pos++;
      return true;
    }
    if (byte !== end) throw this.failure(`expected ',' or '${String.fromCharCode(end)}'`);
    return false;
  }

  #checkString(): void {
    const { bytes } = this;
    const start = this.pos;
    let pos = start + 1;
    for (;;) {
      while (plain[bytes[pos]!] === 1) pos++;
      const byte = bytes[pos];
      if (byte === Q) break;
      if (byte === undefined) throw this.failure("the string has no end", start);
      if (byte === BACKSLASH) pos = this.#checkEscape(pos);
      else if (byte < 0x20) throw this.failure("control character in a string", pos);
      else pos = byte === 0x7f ? pos + 1 : this.#checkUtf8(pos);
    }
    this.pos = pos + 1;
  }

  #checkEscape(at: number): number {
    const byte = this.bytes[at + 1];
    if (byte !== 0x75) {
      if (byte === undefined || !'"\\/bfnrt'.includes(String.fromCharCode(byte)))
        throw this.failure("unknown escape in a string", at);
      return at + 2;
    }
    for (let i = at + 2; i < at + 6; i++) {
      const digit = this.bytes[i] ?? 0;
      const isHex = (digit >= 0x30 && digit <= 0x39) || ((digit | 0x20) >= 0x61 && (digit | 0x20) <= 0x66);
      if (!isHex) throw this.failure("\\u needs four hexadecimal digits", at);
    }
    return at + 6;
  }

  #checkUtf8(at: number): number {
    const first = this.bytes[at]!;
    const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (!isUtf8(this.bytes.subarray(at, at + length))) throw this.failure("not UTF-8", at);
    return at + length;
  }

  #checkScalar(byte: number | undefined): void {
    if (byte === undefined) throw this.failure("the document ends too early");
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return this.#checkNumber();
    for (const word of ["true", "false", "null", "NaN", "Infinity"]) if (this.#word(word)) return;
    throw this.failure("expected a value");
  }

  #word(word: string): boolean {
    for (let i = 0; i < word.length; i++) if (this.bytes[this.pos + i] !== word.charCodeAt(i)) return false;
    this.pos += word.length;
    return true;
  }

  #checkNumber(): void {
    const { bytes } = this;
    const start = this.pos;
    if (bytes[start] === 0x2d) this.pos++;
    if (bytes[start] === 0x2d && this.#word("Infinity")) return;
    if (bytes[this.pos] === 0x30) this.pos++;
    else this.#digits(start);
    if (bytes[this.pos] === 0x2e) {
      this.pos++;
      this.#digits(start);
    }
    if ((bytes[this.pos]! | 0x20) === 0x65) {
      this.pos++;
      if (bytes[this.pos] === 0x2b || bytes[this.pos] === 0x2d) this.pos++;
      this.#digits(start);
    }
  }

  #digits(start: number): void {
    const { bytes } = this;
    const first = this.pos;
    let pos = first;
    while (bytes[pos]! >= 0x30 && bytes[pos]! <= 0x39) pos++;
    if (pos === first) throw this.failure("malformed number", start);
    this.pos = pos;
  }

  /** Moves past one value that `check` has accepted. */
  pass(): void {
    const { bytes } = this;
    const byte = this.blanks();
    if (byte === Q) return this.passString();
    if (byte === 0x7b || byte === 0x5b) return this.#passNested();
    let pos = this.pos;
    for (let b = bytes[pos]!; b > 0x20 && b !== 0x2c && b !== 0x5d && b !== 0x7d; b = bytes[++pos]!);
    this.pos = pos;
  }

  passString(): void {
    const { bytes } = this;
    let pos = this.pos + 1;
    for (let byte = bytes[pos]; byte !== Q; byte = bytes[pos]) pos += byte === BACKSLASH ? 2 : 1;
    this.pos = pos + 1;
  }

  #passNested(): void {
    const { bytes } = this;
    let pos = this.pos;
    let depth = 0;
    do {
      const byte = bytes[pos++]!;
      if (byte === Q) {
        for (let inner = bytes[pos]!; inner !== Q; inner = bytes[pos]!) pos += inner === BACKSLASH ? 2 : 1;
        pos++;
      } else if (byte >= 0x5b) {
        if (byte === 0x7b || byte === 0x5b) depth++;
        else if (byte === 0x7d || byte === 0x5d) depth--;
      }
    } while (depth > 0);
    this.pos = pos;
  }

  /**
   * Calls `visit` for each member of the checked object at the cursor, with the cursor at the value; `visit` must move
   * past the value.
   */
  members(visit: (key: string) => void): void {
    this.pos++;
    if (this.blanks() !== 0x7d) {
      do {
        this.blanks();
        const key = this.text();
        this.colon();
        this.blanks();
        visit(key);
      } while (this.comma(0x7d));
    }
    this.pos++;
  }

  /**
   * Calls `visit` for each element of the checked list at the cursor, with the cursor at the value; `visit` must move
   * past the value.
   */
  elements(visit: (index: number) => void): void {
    let index = 0;
    this.pos++;
    if (this.blanks() !== 0x5d) {
      do {
        this.blanks();
        visit(index++);
      } while (this.comma(0x5d));
    }
    this.pos++;
  }

  /** Reads the checked string at the cursor. */
  text(): string {
    const start = this.pos;
    this.passString();
    return decodeString(this.bytes, start, this.pos);
  }

  failure(reason: string, at = this.pos): Failure {
    return new Failure("not-json", { file: this.file, ...this.locationOf(at), reason });
  }

  /** Line and column (in characters) of a byte, from 1. */
  locationOf(at: number): { readonly line: number; readonly column: number } {
    let line = 1;
    let column = 1;
    for (let i = 0; i < at && i < this.bytes.length; i++) {
      if (this.bytes[i] === 0x0a) {
        line++;
        column = 1;
      } else if ((this.bytes[i]! & 0xc0) !== 0x80) column++;
    }
    return { line, column };
  }
}
