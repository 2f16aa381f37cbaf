/** Longer arrays are not kept. */
const mostKept = 1 << 16;

/** An array for the numbers of one call at a time: allocating one takes longer than a pass over few numbers. */
export class ReusedArray {
  #values = new Float64Array(1024);

  /** At least `length` elements with any numbers, valid until the next call. */
  of(length: number): Float64Array {
    if (length <= this.#values.length) return this.#values;
    const values = new Float64Array(length > mostKept ? length : 2 * length);
    if (length <= mostKept) this.#values = values;
    return values;
  }
}
