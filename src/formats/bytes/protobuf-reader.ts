import { Failure } from "../../core/failures/failure.ts";

/** What a field is written as. */
export const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Reads the fields of a message in bytes of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/).
 * Everything fails with `bad-stack-profile`.
 */
export class ProtobufReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
  /** The number of the current field, and how it is written. */
  field = 0;
  wire = 0;
  #low = 0;
  #high = 0;

  readonly #file: string;

  /** `file` names what is read in messages. */
  constructor(bytes: Uint8Array, file: string, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#file = file;
    this.at = at;
    this.end = end;
  }

  bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: this.#file, format: "pprof", reason });
  }

  /** Goes on to the next field; false: there is none. Its content is to be read or skipped then. */
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

  /** The message that the field holds. */
  message(): ProtobufReader {
    if (this.wire !== wire.bytes) throw this.bad("a field is written as it cannot be");
    this.#varint();
    const start = this.at;
    this.#advance(this.#high * 2 ** 32 + this.#low);
    return new ProtobufReader(this.bytes, this.#file, start, this.at);
  }

  text(): string {
    const { at, end } = this.message();
    return new TextDecoder().decode(this.bytes.subarray(at, end));
  }

  /** An int64; beyond 2⁵³ the nearest double. */
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

  /** A repeated int64: one, or many in a row. */
  ints(take: (value: number) => void): void {
    if (this.wire !== wire.bytes) return take(this.int());
    const packed = this.message();
    while (packed.at < packed.end) take(packed.int());
  }

  /** A number; the field of a packed one is 0. */
  #number(): void {
    if (this.wire !== wire.varint) throw this.bad("a field is written as it cannot be");
    this.#varint();
  }

  #varint(): void {
    let [low, high] = [0, 0];
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) throw this.bad("it ends within a field");
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
    throw this.bad("a number has no end");
  }

  #advance(count: number): void {
    if (count > this.end - this.at) throw this.bad("it ends within a field");
    this.at += count;
  }
}
