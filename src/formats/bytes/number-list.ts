const blockBits = 12;
const blockLength = 1 << blockBits;
const firstBlockLength = 16;

/**
 * A list of numbers that grows in blocks. A number takes four bytes in blocks of 32-bit integers and eight in other
 * blocks. Appending never copies earlier blocks.
 */
export class NumberList {
  readonly #blocks: (Int32Array | Float64Array)[] = [];
  #last: Int32Array | Float64Array = new Int32Array(0);
  length = 0;

  push(value: number): void {
    const offset = this.length & (blockLength - 1);
    if (offset === 0)
      this.#blocks.push((this.#last = new Int32Array(this.length === 0 ? firstBlockLength : blockLength)));
    else if (offset === this.#last.length)
      this.#replaceLast(this.#last instanceof Int32Array ? Int32Array : Float64Array, offset * 2);
    if ((value | 0) !== value && this.#last instanceof Int32Array) this.#replaceLast(Float64Array, this.#last.length);
    this.#last[offset] = value;
    this.length++;
  }

  at(index: number): number {
    return this.#blocks[index >>> blockBits]![index & (blockLength - 1)]!;
  }

  #replaceLast(Kind: typeof Int32Array | typeof Float64Array, length: number): void {
    const block = new Kind(length);
    block.set(this.#last);
    this.#blocks[this.#blocks.length - 1] = this.#last = block;
  }
}
