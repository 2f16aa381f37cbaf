import { ByteWriter } from "../bytes/byte-writer.ts";
import { copyValue } from "../json/json-copy.ts";
import { copyPlainNumber } from "../json/json-number.ts";
import type { JsonScanner } from "../json/json-scanner.ts";

/** A list of integers in [0, 2^32) that grows, four bytes each. */
class IntegerList {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }
}

/**
 * Cells that come row by row and leave column by column, printed. They are copied twice, each time reading in order:
 * collecting a column from a file of 50 MB by place costs a page miss per cell, which is slower than everything else
 * together.
 */
export class ResourceCells {
  readonly #scanner: JsonScanner;
  /** The cells in the order they came; of each its column and its end. */
  readonly #printed: ByteWriter;
  readonly #columnOf = new IntegerList();
  readonly #ends = new IntegerList();
  /** Bytes of each column, with a separator behind every cell. */
  readonly #sizes: number[] = [];
  #sorted: { readonly bytes: Uint8Array; readonly starts: Float64Array } | null = null;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
    this.#printed = new ByteWriter(scanner.bytes.length);
  }

  /** Adds `count` empty columns and returns the number of the first. */
  addColumns(count: number): number {
    const first = this.#sizes.length;
    for (let i = 0; i < count; i++) this.#sizes.push(0);
    return first;
  }

  /** Adds the value at `place` to the end of a column. */
  add(column: number, place: number): void {
    const printed = this.#printed;
    const start = printed.length;
    if (copyPlainNumber(this.#scanner.bytes, place, printed) < 0) {
      this.#scanner.pos = place;
      copyValue(this.#scanner, printed);
    }
    this.#columnOf.push(column);
    this.#ends.push(printed.length);
    this.#sizes[column]! += printed.length - start + 2;
  }

  /** Writes a column as a list. No cell can be added afterwards. */
  write(column: number, writer: ByteWriter): void {
    const { bytes, starts } = (this.#sorted ??= this.#sort());
    const start = starts[column]!;
    writer.byte(0x5b);
    writer.slice(bytes, start, start + this.#sizes[column]! - 2);
    writer.byte(0x5d);
  }

  #sort(): { readonly bytes: Uint8Array; readonly starts: Float64Array } {
    const starts = new Float64Array(this.#sizes.length);
    let total = 0;
    for (const [column, size] of this.#sizes.entries()) {
      starts[column] = total;
      total += size;
    }
    const next = starts.slice();
    const bytes = new Uint8Array(total);
    const { buffer } = this.#printed;
    let from = 0;
    for (let cell = 0; cell < this.#ends.length; cell++) {
      const column = this.#columnOf.at(cell);
      const end = this.#ends.at(cell);
      let to = next[column]!;
      while (from < end) bytes[to++] = buffer[from++]!;
      bytes[to++] = 0x2c;
      bytes[to++] = 0x20;
      next[column] = to;
    }
    return { bytes, starts };
  }
}
