/**
 * Numbers pieces of bytes so that equal ones get the same number, counted from 0. Pieces are kept by place only: the caller keeps the
 * bytes where they are (in a buffer that may move, but not change).
 */
export class ByteTable {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];
  /** Open addressing: number + 1, or 0. */
  #slots = new Int32Array(1024);

  get count(): number {
    return this.#starts.length;
  }

  start(index: number): number {
    return this.#starts[index]!;
  }

  /** The number of `bytes[start..end)`; it is `count` before the call when the piece is new. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.#slots[slot]!; entry > 0; entry = this.#slots[slot]!) {
      if (this.#hashes[entry - 1] === hash && this.#equal(bytes, entry - 1, start, end)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    this.#starts.push(start);
    this.#ends.push(end);
    this.#hashes.push(hash);
    this.#slots[slot] = this.count;
    if (this.count * 2 > this.#slots.length) this.#grow();
    return this.count - 1;
  }

  #equal(bytes: Uint8Array, index: number, start: number, end: number): boolean {
    const known = this.#starts[index]!;
    if (this.#ends[index]! - known !== end - start) return false;
    for (let i = end - start - 1; i >= 0; i--) if (bytes[known + i] !== bytes[start + i]) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (let index = 0; index < this.count; index++) {
      let slot = this.#hashes[index]! & mask;
      while (this.#slots[slot]! > 0) slot = (slot + 1) & mask;
      this.#slots[slot] = index + 1;
    }
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) & 0x7fffffff;
}
