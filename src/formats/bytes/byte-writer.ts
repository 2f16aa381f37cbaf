import { floatText } from "../../core/values/json.ts";

const encoder = new TextEncoder();

/**
 * Bytes being written, in one buffer that grows. Its first size is a guess from the caller: memory that is never
 * written is never taken from the machine, so guess high.
 */
export class ByteWriter {
  /** Only the first `length` bytes are written. */
  buffer: Uint8Array;
  length = 0;
  readonly #drain: ((bytes: Uint8Array) => void) | undefined;

  /**
   * `drain`: takes what is written whenever the buffer is full, and may keep it; what is left in the end is `written`.
   * Lengths tell nothing then.
   */
  constructor(expected = 1024, drain?: (bytes: Uint8Array) => void) {
    this.buffer = new Uint8Array(Math.max(expected, 64));
    this.#drain = drain;
  }

  /** Makes room for `count` more bytes; `buffer` may be another one afterwards. */
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

  /** Text of characters below 128 only. */
  ascii(text: string): void {
    this.reserve(text.length);
    for (let i = 0; i < text.length; i++) this.buffer[this.length++] = text.charCodeAt(i);
  }

  /** What stands between two elements: a comma and a blank. */
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

  /** `source[from..to)`, faster than `bytes` for the short pieces a document is made of. */
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

  /** What was written; a view that is valid until the next write. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }
}
