import { longestLine } from "./text-lines.ts";

const newline = 10;

/**
 * Assembles complete lines from pieces in one reused buffer. A result is valid until the next call. Lines longer than
 * `longestLine` are truncated.
 */
export class LineBuffer {
  #buffer = new Uint8Array(1 << 20);
  /** Offsets of the unfinished line. */
  #start = 0;
  #end = 0;

  /** The lines that a piece completes, each with its newline; null if it completes none. */
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

  /** The text after the last newline, with a newline added; null if there is none. */
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
