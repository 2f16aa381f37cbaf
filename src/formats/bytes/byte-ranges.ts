const chunkSize = 1 << 20;

/**
 * Interned byte ranges, numbered in order of insertion. Equal ranges share a number. Bytes are compared, so hash
 * collisions are harmless.
 */
export class ByteRanges {
  readonly #chunks: DataView[] = [];
  /** Used bytes of the last chunk. */
  #used = chunkSize;
  #slots = new Int32Array(1 << 10);
  #hashes = new Int32Array(1 << 8);
  /** Three entries per number: chunk, offset, length. */
  #locations = new Int32Array(3 << 8);
  #size = 0;
  /** Bytes that may still be stored. */
  #remaining: number;

  /** Stores at most `capacity` bytes; later ranges get no number. */
  constructor(capacity: number) {
    this.#remaining = capacity;
  }

  /** The number of the range `from` to `to` of `view`, or −1. `hash` is the result of `hashOf`. */
  find(view: DataView, from: number, to: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (number < 0) return -1;
      if (this.#hashes[number] === hash && this.#isEqual(number, view, from, to)) return number;
    }
  }

  /** Assigns the next number to a new range; −1 if the capacity is exceeded. */
  add(view: DataView, from: number, to: number, hash: number): number {
    const length = to - from;
    if (length > chunkSize || length > this.#remaining) return -1;
    this.#remaining -= length;
    if (this.#chunks.length === 0 || this.#used + length > chunkSize) {
      this.#chunks.push(new DataView(new ArrayBuffer(chunkSize)));
      this.#used = 0;
    }
    const number = this.#size++;
    if (number === this.#hashes.length) this.#growLocations();
    this.#locations.set([this.#chunks.length - 1, this.#used, length], 3 * number);
    this.#hashes[number] = hash;
    new Uint8Array(this.#chunks.at(-1)!.buffer).set(
      new Uint8Array(view.buffer, view.byteOffset + from, length),
      this.#used,
    );
    this.#used += length;
    this.#enter(number);
    if (this.#size * 2 > this.#slots.length) this.#growSlots();
    return number;
  }

  #isEqual(number: number, view: DataView, from: number, to: number): boolean {
    const entry = 3 * number;
    if (this.#locations[entry + 2] !== to - from) return false;
    const chunk = this.#chunks[this.#locations[entry]!]!;
    let at = from;
    let stored = this.#locations[entry + 1]!;
    for (; at + 8 <= to; at += 8, stored += 8)
      if (
        ((view.getInt32(at, true) ^ chunk.getInt32(stored, true)) |
          (view.getInt32(at + 4, true) ^ chunk.getInt32(stored + 4, true))) !==
        0
      )
        return false;
    for (; at < to; at++, stored++) if (view.getUint8(at) !== chunk.getUint8(stored)) return false;
    return true;
  }

  #enter(number: number): void {
    const mask = this.#slots.length - 1;
    const hash = this.#hashes[number]!;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number++) this.#enter(number);
  }

  #growLocations(): void {
    const [hashes, locations] = [this.#hashes, this.#locations];
    this.#hashes = new Int32Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#locations = new Int32Array(locations.length * 2);
    this.#locations.set(locations);
  }
}

/** Hashes a range, eight bytes per step in two independent lanes. */
export function hashOf(view: DataView, from: number, to: number): number {
  let [even, odd] = [to - from, 0];
  let at = from;
  for (; at + 8 <= to; at += 8) {
    even = Math.imul(((even << 5) | (even >>> 27)) ^ view.getInt32(at, true), 0x9e3779b1);
    odd = Math.imul(((odd << 5) | (odd >>> 27)) ^ view.getInt32(at + 4, true), 0x85ebca6b);
  }
  for (; at < to; at++) even = Math.imul(((even << 5) | (even >>> 27)) ^ view.getUint8(at), 0x9e3779b1);
  const hash = even ^ Math.imul(odd, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
