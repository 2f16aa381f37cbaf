import { ByteWriter } from "./byte-writer.ts";

const encoder = new TextEncoder();

/**
 * Writes the fields of a message as Protocol Buffers are encoded. Fields of content 0 or without bytes are left out, as
 * their default is.
 */
export class ProtobufWriter {
  readonly #bytes: ByteWriter;

  constructor(expected = 64) {
    this.#bytes = new ByteWriter(expected);
  }

  /** A view that is valid until the next write. */
  written(): Uint8Array {
    return this.#bytes.written();
  }

  /** Begins anew in the same room. */
  clear(): this {
    this.#bytes.length = 0;
    return this;
  }

  int(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    this.#varint(field << 3);
    this.varint(value);
  }

  text(field: number, text: string): void {
    this.message(field, encoder.encode(text));
  }

  /** Also where it has no bytes. */
  message(field: number, bytes: Uint8Array): void {
    this.#varint((field << 3) | 2);
    this.#varint(bytes.length);
    this.#bytes.bytes(bytes);
  }

  /** A repeated field of numbers in a row. */
  ints(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    const packed = new ProtobufWriter();
    for (const value of values) packed.varint(value);
    this.message(field, packed.written());
  }

  /** An int64 or uint64 without a field. */
  varint(value: number | bigint): void {
    if (typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return this.#varint(value);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes.byte(Number(rest & 0x7fn) | 0x80);
    this.#bytes.byte(Number(rest));
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.#bytes.byte((rest % 128) | 0x80);
    this.#bytes.byte(rest);
  }
}
