import { decodeString } from "./json-string.ts";

/** Objects with more keys use a table instead of a linear search. */
const many = 32;
/** Of keys that may be spelled in several ways. */
const noHash = -1;

/** The keys of the objects that are open while a document is checked, outermost first. Detects duplicate keys. */
export class KeySet {
  readonly #bytes: Uint8Array;
  #hashes = new Int32Array(1024);
  #starts = new Float64Array(1024);
  #ends = new Float64Array(1024);
  #top = 0;
  readonly #large = new Map<number, LargeKeys>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Starts an object and returns its mark. */
  open(): number {
    return this.#top;
  }

  close(mark: number): void {
    if (this.#top - mark >= many) this.#large.delete(mark);
    this.#top = mark;
  }

  /** Adds the key whose string is `[start, end)`; true if it is a duplicate. */
  add(mark: number, start: number, end: number): boolean {
    if (this.#top - mark >= many) return this.#addToLarge(mark, start, end);
    const hash = this.#hash(start, end);
    for (let i = mark; i < this.#top; i++) {
      const isPossible = this.#hashes[i] === hash || hash === noHash || this.#hashes[i] === noHash;
      if (isPossible && this.#text(i) === decodeString(this.#bytes, start, end)) return true;
    }
    this.#push(hash, start, end);
    return false;
  }

  #addToLarge(mark: number, start: number, end: number): boolean {
    let keys = this.#large.get(mark);
    if (!keys) {
      keys = new LargeKeys(this.#bytes);
      for (let i = mark; i < this.#top; i++) keys.add(this.#hashes[i]!, this.#starts[i]!, this.#ends[i]!);
      this.#large.set(mark, keys);
    }
    return keys.add(this.#hash(start, end), start, end);
  }

  #text(index: number): string {
    return decodeString(this.#bytes, this.#starts[index]!, this.#ends[index]!);
  }

  /** Of the bytes between the quotes, at least 0; `noHash` if there is an escape or a byte that is not ASCII. */
  #hash(start: number, end: number): number {
    let hash = 0;
    for (let i = start + 1; i < end - 1; i++) {
      const byte = this.#bytes[i]!;
      if (byte === 0x5c || byte >= 0x80) return noHash;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    return hash & 0x7fffffff;
  }

  #push(hash: number, start: number, end: number): void {
    if (this.#top === this.#hashes.length) this.#grow();
    this.#hashes[this.#top] = hash;
    this.#starts[this.#top] = start;
    this.#ends[this.#top++] = end;
  }

  #grow(): void {
    [this.#hashes, this.#starts, this.#ends] = [doubled(this.#hashes), doubled(this.#starts), doubled(this.#ends)];
  }
}

/** Keys of a table that may be compared for one. Only chosen keys have as many with neighbouring hashes. */
const mostCompared = 64;

/** The keys of a large object: a hash table of their positions, or a set of texts once a key has no hash. */
class LargeKeys {
  readonly #bytes: Uint8Array;
  #hashes = new Int32Array(many);
  #starts = new Float64Array(many);
  #ends = new Float64Array(many);
  #count = 0;
  /** Open addressing: numbers of keys from 1. At least half of the slots are empty. */
  #slots = new Int32Array(4 * many);
  #texts: Set<string> | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** True if the key is a duplicate. */
  add(hash: number, start: number, end: number): boolean {
    if (this.#texts !== undefined) return isKnown(this.#texts, decodeString(this.#bytes, start, end));
    if (hash === noHash) return this.#addText(start, end);
    const mask = this.#slots.length - 1;
    let slot = slotOf(hash) & mask;
    for (let compared = 0; this.#slots[slot] !== 0; compared++) {
      const known = this.#slots[slot]! - 1;
      if (this.#hashes[known] === hash && this.#isSame(known, start, end)) return true;
      if (compared === mostCompared) return this.#addText(start, end);
      slot = (slot + 1) & mask;
    }
    if (this.#count === this.#hashes.length) this.#grow();
    this.#hashes[this.#count] = hash;
    this.#starts[this.#count] = start;
    this.#ends[this.#count++] = end;
    this.#slots[slot] = this.#count;
    if (2 * this.#count > this.#slots.length) this.#rehash();
    return false;
  }

  #addText(start: number, end: number): boolean {
    this.#texts = new Set();
    for (let i = 0; i < this.#count; i++) this.#texts.add(decodeString(this.#bytes, this.#starts[i]!, this.#ends[i]!));
    return isKnown(this.#texts, decodeString(this.#bytes, start, end));
  }

  #isSame(known: number, start: number, end: number): boolean {
    const from = this.#starts[known]!;
    if (this.#ends[known]! - from !== end - start) return false;
    for (let i = 0; i < end - start; i++) if (this.#bytes[from + i] !== this.#bytes[start + i]) return false;
    return true;
  }

  #grow(): void {
    [this.#hashes, this.#starts, this.#ends] = [doubled(this.#hashes), doubled(this.#starts), doubled(this.#ends)];
  }

  #rehash(): void {
    this.#slots = new Int32Array(4 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let i = 0; i < this.#count; i++) {
      let slot = slotOf(this.#hashes[i]!) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = i + 1;
    }
  }
}

/** Spreads keys that differ in their last characters only. */
function slotOf(hash: number): number {
  return hash ^ (hash >>> 15);
}

function isKnown(texts: Set<string>, text: string): boolean {
  const before = texts.size;
  return texts.add(text).size === before;
}

function doubled<T extends Int32Array | Float64Array>(array: T): T {
  const twice = new (array.constructor as new (length: number) => T)(array.length * 2);
  twice.set(array);
  return twice;
}
