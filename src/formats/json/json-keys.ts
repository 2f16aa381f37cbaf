import { decodeString } from "./json-string.ts";

/** Objects with more keys use a set instead of a linear search. */
const many = 32;

/** The keys of the objects that are open while a document is checked, outermost first. Detects duplicate keys. */
export class KeySet {
  readonly #bytes: Uint8Array;
  #hashes = new Int32Array(1024);
  #starts = new Float64Array(1024);
  #ends = new Float64Array(1024);
  #top = 0;
  readonly #large = new Map<number, Set<string>>();

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
      if (this.#hashes[i] === hash && this.#text(i) === decodeString(this.#bytes, start, end)) return true;
    }
    this.#push(hash, start, end);
    return false;
  }

  #addToLarge(mark: number, start: number, end: number): boolean {
    let keys = this.#large.get(mark);
    if (!keys) {
      keys = new Set();
      for (let i = mark; i < this.#top; i++) keys.add(this.#text(i));
      this.#large.set(mark, keys);
    }
    const before = keys.size;
    return keys.add(decodeString(this.#bytes, start, end)).size === before;
  }

  #text(index: number): string {
    return decodeString(this.#bytes, this.#starts[index]!, this.#ends[index]!);
  }

  /**
   * Equal texts have equal hashes: of the bytes, or of the decoded text if there is an escape.
   */
  #hash(start: number, end: number): number {
    let hash = 0;
    for (let i = start + 1; i < end - 1; i++) {
      const byte = this.#bytes[i]!;
      if (byte === 0x5c || byte >= 0x80) return -1;
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
    const [hashes, starts, ends] = [this.#hashes, this.#starts, this.#ends];
    this.#hashes = new Int32Array(hashes.length * 2);
    this.#starts = new Float64Array(hashes.length * 2);
    this.#ends = new Float64Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#starts.set(starts);
    this.#ends.set(ends);
  }
}
