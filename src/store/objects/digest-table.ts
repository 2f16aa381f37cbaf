import type { Digest } from "../../core/versions/index.ts";

const digestBytes = 20;

/** A small number for each of millions of digests, in 21 bytes per slot of a hash table with open addressing. */
export class DigestTable {
  #slots: number;
  #keys: Buffer;
  /** 0 for a free slot, otherwise 1 + the value. */
  #values: Uint8Array;
  #count = 0;

  constructor(expected = 0) {
    this.#slots = 1024;
    while (this.#slots * 0.75 < expected) this.#slots *= 2;
    this.#keys = Buffer.alloc(this.#slots * digestBytes);
    this.#values = new Uint8Array(this.#slots);
  }

  get size(): number {
    return this.#count;
  }

  get(digest: Digest): number | undefined {
    const value = this.#values[this.#slotOf(Buffer.from(digest, "hex"))]!;
    return value === 0 ? undefined : value - 1;
  }

  /** `value`: 0 to 254. */
  set(digest: Digest, value: number): void {
    if ((this.#count + 1) * 4 > this.#slots * 3) this.#grow();
    this.#put(Buffer.from(digest, "hex"), value + 1);
  }

  #put(key: Buffer, stored: number): void {
    const slot = this.#slotOf(key);
    if (this.#values[slot] === 0) {
      this.#count += 1;
      key.copy(this.#keys, slot * digestBytes);
    }
    this.#values[slot] = stored;
  }

  /** The slot of the key, or the free one for it. Digests are uniformly distributed, so their bytes are the hash. */
  #slotOf(key: Buffer): number {
    let slot = key.readUInt32LE(0) % this.#slots;
    while (this.#values[slot] !== 0 && key.compare(this.#keys, slot * digestBytes, (slot + 1) * digestBytes) !== 0)
      slot = (slot + 1) % this.#slots;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#slots *= 2;
    this.#keys = Buffer.alloc(this.#slots * digestBytes);
    this.#values = new Uint8Array(this.#slots);
    this.#count = 0;
    values.forEach((stored, slot) => {
      if (stored !== 0) this.#put(keys.subarray(slot * digestBytes, (slot + 1) * digestBytes), stored);
    });
  }
}
