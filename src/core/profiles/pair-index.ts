const smallest = 1 << 8;

/** Distinct pairs of integers below 2³¹, numbered in order of insertion, in typed arrays: about 20 bytes per pair. */
export class PairTable {
  #firsts = new Int32Array(smallest);
  #seconds = new Int32Array(smallest);
  /** Pair numbers plus one, by hash; 0: free. At least half of the slots are free. */
  #slots = new Int32Array(2 * smallest);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a pair; a new pair gets the next number. */
  number(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hashOf(first, second) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (number < 0) return this.#added(first, second, slot);
      if (this.#firsts[number] === first && this.#seconds[number] === second) return number;
    }
  }

  firstOf(number: number): number {
    return this.#firsts[number] ?? 0;
  }

  secondOf(number: number): number {
    return this.#seconds[number] ?? 0;
  }

  #added(first: number, second: number, slot: number): number {
    const number = this.#size++;
    if (number === this.#firsts.length) {
      this.#firsts = grown(this.#firsts);
      this.#seconds = grown(this.#seconds);
    }
    this.#firsts[number] = first;
    this.#seconds[number] = second;
    this.#slots[slot] = number + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = hashOf(this.#firsts[number]!, this.#seconds[number]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

function hashOf(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

function grown(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}
