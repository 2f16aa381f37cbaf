import { decodeString } from "./json-string.ts";

/** Objects with more keys use a table instead of a linear search. */
const many = 32;
/** Of keys that may be spelled in several ways. */
const noHash = -1;

/** Positions of keys in the bytes of a document, with their hashes. */
class KeyList {
  readonly bytes: Uint8Array;
  hashes: Int32Array;
  starts: Float64Array;
  ends: Float64Array;
  count = 0;

  /** `room`: keys until it grows. */
  constructor(bytes: Uint8Array, room: number) {
    this.bytes = bytes;
    [this.hashes, this.starts, this.ends] = [new Int32Array(room), new Float64Array(room), new Float64Array(room)];
  }

  push(hash: number, start: number, end: number): void {
    if (this.count === this.hashes.length)
      [this.hashes, this.starts, this.ends] = [doubled(this.hashes), doubled(this.starts), doubled(this.ends)];
    this.hashes[this.count] = hash;
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }

  text(index: number): string {
    return decodeString(this.bytes, this.starts[index]!, this.ends[index]!);
  }
}

/** Keys that are open at a time in most documents: allocating many more would take longer than checking a small one. */
const usual = 64;

/** The keys of the objects that are open while a document is checked, outermost first. Detects duplicate keys. */
export class KeySet {
  readonly #bytes: Uint8Array;
  readonly #open: KeyList;
  readonly #large = new Map<number, LargeKeys>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#open = new KeyList(bytes, usual);
  }

  /** Starts an object and returns its mark. */
  open(): number {
    return this.#open.count;
  }

  close(mark: number): void {
    if (this.#open.count - mark >= many) this.#large.delete(mark);
    this.#open.count = mark;
  }

  /** Adds the key whose string is `[start, end)`; true if it is a duplicate. */
  add(mark: number, start: number, end: number): boolean {
    const open = this.#open;
    const hash = this.#hash(start, end);
    if (open.count - mark >= many) return this.#largeAt(mark).add(hash, start, end);
    for (let i = mark; i < open.count; i++) {
      const isPossible = open.hashes[i] === hash || hash === noHash || open.hashes[i] === noHash;
      if (isPossible && open.text(i) === decodeString(this.#bytes, start, end)) return true;
    }
    open.push(hash, start, end);
    return false;
  }

  #largeAt(mark: number): LargeKeys {
    let keys = this.#large.get(mark);
    if (!keys) {
      const { hashes, starts, ends, count } = this.#open;
      keys = new LargeKeys(this.#bytes);
      for (let i = mark; i < count; i++) keys.add(hashes[i]!, starts[i]!, ends[i]!);
      this.#large.set(mark, keys);
    }
    return keys;
  }

  /** Of the bytes between the quotes, at least 0; `noHash` if there is an escape or a byte that is not ASCII. */
  #hash(start: number, end: number): number {
    const bytes = this.#bytes;
    let hash = 0;
    for (let i = start + 1; i < end - 1; i++) {
      const byte = bytes[i]!;
      if (byte === 0x5c || byte >= 0x80) return noHash;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    return hash & 0x7fffffff;
  }
}

/** Keys of a table that may be compared for one. Only chosen keys have as many with neighbouring hashes. */
const mostCompared = 64;

/** The keys of a large object: a hash table of their positions, or a set of texts once a key has no hash. */
class LargeKeys {
  readonly #keys: KeyList;
  /** Open addressing: numbers of keys from 1. At least half of the slots are empty. */
  #slots = new Int32Array(4 * many);
  #texts: Set<string> | undefined;

  constructor(bytes: Uint8Array) {
    this.#keys = new KeyList(bytes, many);
  }

  /** True if the key is a duplicate. */
  add(hash: number, start: number, end: number): boolean {
    if (this.#texts !== undefined || hash === noHash) return this.#addText(start, end);
    const keys = this.#keys;
    const mask = this.#slots.length - 1;
    let slot = slotOf(hash) & mask;
    for (let compared = 0; this.#slots[slot] !== 0; compared++) {
      const known = this.#slots[slot]! - 1;
      if (keys.hashes[known] === hash && this.#isSame(known, start, end)) return true;
      if (compared === mostCompared) return this.#addText(start, end);
      slot = (slot + 1) & mask;
    }
    keys.push(hash, start, end);
    this.#slots[slot] = keys.count;
    if (2 * keys.count > this.#slots.length) this.#rehash();
    return false;
  }

  #addText(start: number, end: number): boolean {
    const keys = this.#keys;
    this.#texts ??= new Set(Array.from({ length: keys.count }, (_, i) => keys.text(i)));
    const before = this.#texts.size;
    return this.#texts.add(decodeString(keys.bytes, start, end)).size === before;
  }

  #isSame(known: number, start: number, end: number): boolean {
    const { bytes, starts, ends } = this.#keys;
    const from = starts[known]!;
    if (ends[known]! - from !== end - start) return false;
    for (let i = 0; i < end - start; i++) if (bytes[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #rehash(): void {
    this.#slots = new Int32Array(4 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let i = 0; i < this.#keys.count; i++) {
      let slot = slotOf(this.#keys.hashes[i]!) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = i + 1;
    }
  }
}

/** Spreads keys that differ in their last characters only. */
function slotOf(hash: number): number {
  return hash ^ (hash >>> 15);
}

function doubled<T extends Int32Array | Float64Array>(array: T): T {
  const twice = new (array.constructor as new (length: number) => T)(array.length * 2);
  twice.set(array);
  return twice;
}
