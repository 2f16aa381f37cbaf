const blockBits = 12;
const blockLength = 1 << blockBits;
const first = 16;

/**
 * A list of numbers that grows in blocks: four bytes each in blocks of small whole numbers, eight in others. Millions
 * are added without copying those before.
 */
export class NumberList {
  readonly #blocks: (Int32Array | Float64Array)[] = [];
  #last: Int32Array | Float64Array = new Int32Array(0);
  length = 0;

  push(value: number): void {
    const place = this.length & (blockLength - 1);
    if (place === 0) this.#blocks.push((this.#last = new Int32Array(this.length === 0 ? first : blockLength)));
    else if (place === this.#last.length)
      this.#replaceLast(this.#last instanceof Int32Array ? Int32Array : Float64Array, place * 2);
    if ((value | 0) !== value && this.#last instanceof Int32Array) this.#replaceLast(Float64Array, this.#last.length);
    this.#last[place] = value;
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
