import { Failure } from "../../../core/failures/index.ts";

/** A little-endian part of a recording. Reading beyond its end fails with `bad-stack-profile`. */
export class PerfBytes {
  readonly bytes: Uint8Array;
  readonly file: string;
  readonly #view: DataView;
  at = 0;

  /** `file` is named in error messages. */
  constructor(bytes: Uint8Array, file: string) {
    this.bytes = bytes;
    this.file = file;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get rest(): number {
    return this.bytes.length - this.at;
  }

  bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: this.file, format: "perf.data", reason });
  }

  /** A section given by offset and size. */
  part(offset: number, size: number, what: string): PerfBytes {
    if (!(offset >= 0 && size >= 0 && offset + size <= this.bytes.length)) throw this.bad(`${what} is not complete`);
    return new PerfBytes(this.bytes.subarray(offset, offset + size), this.file);
  }

  skip(count: number): number {
    if (!(count >= 0 && count <= this.rest)) throw this.bad("unexpected end in a record");
    this.at += count;
    return this.at - count;
  }

  u8(): number {
    return this.#view.getUint8(this.skip(1));
  }

  u16(): number {
    return this.#view.getUint16(this.skip(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.skip(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.skip(4), true);
  }

  /** The nearest double. */
  u64(): number {
    const at = this.skip(8);
    return this.#view.getUint32(at + 4, true) * 2 ** 32 + this.#view.getUint32(at, true);
  }

  /** An address as signed integer: exact for all canonical addresses; those of the kernel are negative. */
  address(): number {
    const at = this.skip(8);
    return this.#view.getInt32(at + 4, true) * 2 ** 32 + this.#view.getUint32(at, true);
  }

  bits(): bigint {
    return this.#view.getBigUint64(this.skip(8), true);
  }

  /** A text up to NUL in a field of `size` bytes. */
  text(size = this.rest): string {
    const at = this.skip(size);
    const bytes = this.bytes.subarray(at, at + size);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  /** A text with its size before it. */
  sizedText(): string {
    return this.text(this.u32());
  }
}

/** In hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
