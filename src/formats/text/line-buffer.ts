import { longestLine } from "./text-lines.ts";

const newline = 10;

/**
 * Puts whole lines together from pieces in one buffer that is used again and again. What is handed out is valid until
 * the next call. Lines beyond the longest lose their ends.
 */
export class LineBuffer {
  #buffer = new Uint8Array(1 << 20);
  /** Where the unfinished line begins and ends. */
  #start = 0;
  #end = 0;

  /** The lines that a piece completes, each with its newline; null: none. */
  push(piece: Uint8Array): Uint8Array | null {
    const last = piece.lastIndexOf(newline);
    if (last < 0) {
      this.#append(piece);
      return null;
    }
    this.#append(piece.subarray(0, piece.indexOf(newline)));
    this.#append(piece.subarray(piece.indexOf(newline)), Number.POSITIVE_INFINITY);
    const lines = this.#buffer.subarray(this.#start, this.#end - (piece.length - last - 1));
    this.#start += lines.length;
    return lines;
  }

  /** What stands behind the last newline, with one; null: nothing does. */
  end(): Uint8Array | null {
    return this.#start === this.#end ? null : this.push(Uint8Array.of(newline));
  }

  #append(bytes: Uint8Array, most = longestLine): void {
    const held = this.#end - this.#start;
    const kept = bytes.length > most - held ? bytes.subarray(0, Math.max(0, most - held)) : bytes;
    if (this.#end + kept.length > this.#buffer.length) this.#makeRoom(held, kept.length);
    this.#buffer.set(kept, this.#end);
    this.#end += kept.length;
  }

  #makeRoom(held: number, more: number): void {
    const from = this.#buffer;
    if (held + more > from.length) this.#buffer = new Uint8Array(Math.max(held + more, 2 * from.length));
    this.#buffer.set(from.subarray(this.#start, this.#end));
    [this.#start, this.#end] = [0, held];
  }
}
