import type { Digest } from "../../core/digest.ts";
import { Failure } from "../../core/errors.ts";
import { hexOf } from "./object.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A cursor over the fields of a version index; every read is bounded by the file. Fails with `index-damaged`. */
export class IndexReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  skip(count: number): void {
    if (count > this.#bytes.length - this.position)
      throw new Failure("index-damaged", { reason: `it ends inside an entry, after ${this.#bytes.length} bytes` });
    this.position += count;
  }

  uint32(): number {
    const at = this.position;
    this.skip(4);
    return this.#view.getUint32(at, true);
  }

  digest(): Digest {
    const at = this.position;
    this.skip(20);
    return hexOf(this.#bytes.subarray(at, at + 20)) as Digest;
  }

  /** A byte count and so much text. */
  text(): string {
    const length = this.uint32();
    const at = this.position;
    this.skip(length);
    return this.#decode(at, this.position);
  }

  untilNul(): string {
    const at = this.position;
    const end = this.#bytes.indexOf(0, at);
    this.skip((end < 0 ? this.#bytes.length : end) - at + 1);
    return this.#decode(at, end);
  }

  #decode(start: number, end: number): string {
    try {
      return decoder.decode(this.#bytes.subarray(start, end));
    } catch (error) {
      throw new Failure("index-damaged", { reason: `a text at byte ${start} is not UTF-8` }, error);
    }
  }
}
