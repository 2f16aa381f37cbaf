const smallest = 1 << 6;

/** Whole numbers from 0 to 2³¹−1 by pairs of such numbers, in typed arrays: millions of pairs cost 12 bytes each, and no object. */
export class PairMap {
  /** Three numbers a slot: the pair, and the value plus one; 0 there means that the slot is free. */
  #slots = new Int32Array(3 * smallest);
  #mask = smallest - 1;
  #size = 0;

  /** −1: there is none. */
  get(first: number, second: number): number {
    return this.#slots[this.#slotOf(first, second) + 2]! - 1;
  }

  set(first: number, second: number, value: number): void {
    const slot = this.#slotOf(first, second);
    if (this.#slots[slot + 2] === 0) this.#size++;
    this.#slots[slot] = first;
    this.#slots[slot + 1] = second;
    this.#slots[slot + 2] = value + 1;
    if (this.#size * 2 > this.#mask) this.#grow();
  }

  /** Where the pair is, or belongs. */
  #slotOf(first: number, second: number): number {
    const slots = this.#slots;
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    for (let at = hash ^ (hash >>> 13); ; at++) {
      const slot = 3 * (at & this.#mask);
      if (slots[slot + 2] === 0 || (slots[slot] === first && slots[slot + 1] === second)) return slot;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let slot = 0; slot < old.length; slot += 3) {
      if (old[slot + 2] === 0) continue;
      const to = this.#slotOf(old[slot]!, old[slot + 1]!);
      this.#slots[to] = old[slot]!;
      this.#slots[to + 1] = old[slot + 1]!;
      this.#slots[to + 2] = old[slot + 2]!;
    }
  }
}
