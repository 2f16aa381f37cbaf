import { floatText } from "../../core/values/index.ts";

const encoder = new TextEncoder();

/**
 * Writes bytes into one growing buffer. Callers estimate its initial size; untouched memory is never committed, so a
 * high estimate is cheap.
 */
export class ByteWriter {
  /** Only the first `length` bytes are valid. */
  buffer: Uint8Array;
  length = 0;
  readonly #drain: ((bytes: Uint8Array) => void) | undefined;

  /**
   * `drain` receives the written bytes whenever the buffer is full and may retain them; `written` returns the rest.
   * `length` then counts only the bytes since the last drain.
   */
  constructor(expected = 1024, drain?: (bytes: Uint8Array) => void) {
    this.buffer = new Uint8Array(Math.max(expected, 64));
    this.#drain = drain;
  }

  /** Reserves space for `count` more bytes; may replace `buffer`. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.buffer.length) return;
    if (this.#drain !== undefined && this.length > 0) return this.#empty(this.#drain, count);
    const grown = new Uint8Array(Math.max(needed, this.buffer.length * 2));
    grown.set(this.buffer.subarray(0, this.length));
    this.buffer = grown;
  }

  #empty(drain: (bytes: Uint8Array) => void, count: number): void {
    drain(this.written());
    this.buffer = new Uint8Array(Math.max(count, this.buffer.length));
    this.length = 0;
  }

  byte(value: number): void {
    if (this.length === this.buffer.length) this.reserve(1);
    this.buffer[this.length++] = value;
  }

  /** Writes text that consists of ASCII characters only. */
  ascii(text: string): void {
    this.reserve(text.length);
    for (let i = 0; i < text.length; i++) this.buffer[this.length++] = text.charCodeAt(i);
  }

  /** Writes a comma and a space. */
  separator(): void {
    if (this.length + 2 > this.buffer.length) this.reserve(2);
    this.buffer[this.length++] = 0x2c;
    this.buffer[this.length++] = 0x20;
  }

  utf8(text: string): void {
    this.bytes(encoder.encode(text));
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes `source[from..to)`; faster than `bytes` for short pieces. */
  slice(source: Uint8Array, from: number, to: number): void {
    if (to - from > 64) return this.bytes(source.subarray(from, to));
    this.reserve(to - from);
    const target = this.buffer;
    let at = this.length;
    for (let i = from; i < to; i++) target[at++] = source[i]!;
    this.length = at;
  }

  /** Little-endian. */
  uint32(value: number): void {
    this.reserve(4);
    new DataView(this.buffer.buffer).setUint32(this.length, value, true);
    this.length += 4;
  }

  float(value: number): void {
    this.ascii(floatText(value));
  }

  /** The written bytes; a view that is valid until the next write. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }
}
