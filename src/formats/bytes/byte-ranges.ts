const chunkSize = 1 << 20;

/**
 * Ranges of bytes, numbered as they come. Equal ranges have one number: bytes are compared, so nobody can forge a
 * collision.
 */
export class ByteRanges {
  readonly #chunks: DataView[] = [];
  /** Bytes of the last chunk that are taken. */
  #used = chunkSize;
  #slots = new Int32Array(1 << 10);
  #hashes = new Int32Array(1 << 8);
  /** By number three times: chunk, offset, length. */
  #places = new Int32Array(3 << 8);
  #size = 0;
  /** Bytes that may still be kept. */
  #room: number;

  /** Keeps no more than so many bytes: later ranges get no number. */
  constructor(room: number) {
    this.#room = room;
  }

  /** The number of a range of the bytes that `view` shows; −1: it has none. `hash` is that of `hashOf`. */
  find(view: DataView, from: number, to: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (number < 0) return -1;
      if (this.#hashes[number] === hash && this.#isEqual(number, view, from, to)) return number;
    }
  }

  /** Gives the next number to a range that has none; −1: there is no room for it. */
  add(view: DataView, from: number, to: number, hash: number): number {
    const length = to - from;
    if (length > chunkSize || length > this.#room) return -1;
    this.#room -= length;
    if (this.#chunks.length === 0 || this.#used + length > chunkSize) {
      this.#chunks.push(new DataView(new ArrayBuffer(chunkSize)));
      this.#used = 0;
    }
    const number = this.#size++;
    if (number === this.#hashes.length) this.#growPlaces();
    this.#places.set([this.#chunks.length - 1, this.#used, length], 3 * number);
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
    const place = 3 * number;
    if (this.#places[place + 2] !== to - from) return false;
    const chunk = this.#chunks[this.#places[place]!]!;
    let at = from;
    let kept = this.#places[place + 1]!;
    for (; at + 8 <= to; at += 8, kept += 8)
      if (
        ((view.getInt32(at, true) ^ chunk.getInt32(kept, true)) |
          (view.getInt32(at + 4, true) ^ chunk.getInt32(kept + 4, true))) !==
        0
      )
        return false;
    for (; at < to; at++, kept++) if (view.getUint8(at) !== chunk.getUint8(kept)) return false;
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

  #growPlaces(): void {
    const [hashes, places] = [this.#hashes, this.#places];
    this.#hashes = new Int32Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#places = new Int32Array(places.length * 2);
    this.#places.set(places);
  }
}

/** A hash of a range: eight bytes at a time in two halves that need not wait for each other. */
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
