import { Failure } from "../../core/failures/index.ts";
import { ByteWriter } from "./byte-writer.ts";

/** Wire types of fields. */
export const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Reads the fields of a Protocol Buffers message (https://protobuf.dev/programming-guides/encoding/). All methods fail
 * with `bad-stack-profile`.
 */
export class ProtobufReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
  /** Number and wire type of the current field. */
  field = 0;
  wire = 0;
  #low = 0;
  #high = 0;

  readonly #file: string;
  readonly #format: string;

  /** `file` and `format` are named in error messages. */
  constructor(bytes: Uint8Array, file: string, at = 0, end = bytes.length, format = "pprof") {
    this.bytes = bytes;
    this.#file = file;
    this.#format = format;
    this.at = at;
    this.end = end;
  }

  bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: this.#file, format: this.#format, reason });
  }

  /** Advances to the next field; false at the end. The caller must read or skip its value. */
  next(): boolean {
    if (this.at >= this.end) return false;
    this.#varint();
    this.field = this.#low >>> 3;
    this.wire = this.#low & 7;
    if (this.#high !== 0 || this.field === 0) throw this.bad("a field has no number");
    return true;
  }

  skip(): void {
    if (this.wire === wire.varint) this.#varint();
    else if (this.wire === wire.fixed64) this.#advance(8);
    else if (this.wire === wire.fixed32) this.#advance(4);
    else this.message();
  }

  /** The nested message of the field. */
  message(): ProtobufReader {
    if (this.wire !== wire.bytes) throw this.bad("a field has the wrong wire type");
    this.#varint();
    const start = this.at;
    this.#advance(this.#high * 2 ** 32 + this.#low);
    return new ProtobufReader(this.bytes, this.#file, start, this.at, this.#format);
  }

  /** A message in other bytes of the same file. */
  nested(bytes: Uint8Array): ProtobufReader {
    return new ProtobufReader(bytes, this.#file, 0, bytes.length, this.#format);
  }

  text(): string {
    const { at, end } = this.message();
    return new TextDecoder().decode(this.bytes.subarray(at, end));
  }

  /** An int64; the nearest double beyond 2⁵³. */
  int(): number {
    this.#number();
    return this.#high >= 2 ** 31
      ? -((2 ** 32 - 1 - this.#high) * 2 ** 32 + (2 ** 32 - this.#low))
      : this.#high * 2 ** 32 + this.#low;
  }

  uint(): bigint {
    this.#number();
    return (BigInt(this.#high) << 32n) | BigInt(this.#low);
  }

  fixed64(): bigint {
    if (this.wire !== wire.fixed64) throw this.bad("a field has the wrong wire type");
    this.#advance(8);
    return new DataView(this.bytes.buffer, this.bytes.byteOffset).getBigUint64(this.at - 8, true);
  }

  /** A repeated int64, packed or not. */
  ints(take: (value: number) => void): void {
    if (this.wire !== wire.bytes) return take(this.int());
    const packed = this.message();
    while (packed.at < packed.end) take(packed.int());
  }

  /** A repeated uint64, packed or not. */
  uints(take: (value: bigint) => void): void {
    if (this.wire !== wire.bytes) return take(this.uint());
    const packed = this.message();
    while (packed.at < packed.end) take(packed.uint());
  }

  /** Reads a varint; packed elements have wire type 0. */
  #number(): void {
    if (this.wire !== wire.varint) throw this.bad("a field has the wrong wire type");
    this.#varint();
  }

  #varint(): void {
    let [low, high] = [0, 0];
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) throw this.bad("unexpected end in a field");
      const byte = this.bytes[this.at++]!;
      if (shift < 28) low |= (byte & 0x7f) << shift;
      else if (shift === 28) {
        low |= (byte & 0x0f) << 28;
        high = (byte & 0x7f) >> 4;
      } else if (shift < 63) high |= (byte & 0x7f) << (shift - 32);
      else high |= (byte & 1) << 31;
      if (byte < 0x80) {
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return;
      }
    }
    throw this.bad("a varint is longer than 10 bytes");
  }

  #advance(count: number): void {
    if (count > this.end - this.at) throw this.bad("unexpected end in a field");
    this.at += count;
  }
}

const encoder = new TextEncoder();

/**
 * Writes the fields of a Protocol Buffers message. Fields with the default value (0 or no bytes) are omitted unless
 * noted.
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

  /** Starts a new message in the same buffer. */
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

  /** Writes a nested message, even if it is empty. */
  message(field: number, bytes: Uint8Array): void {
    this.#varint((field << 3) | 2);
    this.#varint(bytes.length);
    this.#bytes.bytes(bytes);
  }

  /** Writes a packed repeated field. */
  ints(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    const packed = new ProtobufWriter();
    for (const value of values) packed.varint(value);
    this.message(field, packed.written());
  }

  /** Writes an int64 or uint64 without a field number. */
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
