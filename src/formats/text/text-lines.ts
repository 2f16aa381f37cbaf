/** Maximum length of a line in bytes; longer lines are truncated. */
export const longestLine = 1 << 20;

/** Input is processed in slices of this size, so a line within one slice is never too long. */
const sliceSize = 1 << 18;
const newline = 10;

/** Complete lines. Every line, including the last of the input, ends with a newline that is part of `bytes`. */
export interface LineBlock {
  readonly bytes: Uint8Array;
  /** Offsets of truncated lines. */
  readonly cut: readonly number[];
  /** The block is the last line of the input, which had no newline. */
  readonly isUnfinished?: true;
}

/** Splits a byte stream into blocks of complete lines. Memory is bounded by the longest line. */
export async function* lineBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
  const splitter = new LineSplitter();
  for await (const piece of source) {
    for (let at = 0; at < piece.length; at += sliceSize) {
      const block = splitter.push(piece.subarray(at, at + sliceSize));
      if (block) yield block;
    }
  }
  const block = splitter.end();
  if (block) yield block;
}

/** The lines of a UTF-8 text without LF or CR LF. Invalid UTF-8 becomes U+FFFD. */
export async function* textLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const lines of textLineLists(source)) yield* lines;
}

/** Like `textLines`, in batches: awaiting each line would take longer than reading it. */
export async function* textLineLists(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  for await (const { bytes } of lineBlocks(source)) {
    const lines = decoder.decode(bytes).split("\n");
    lines.pop();
    yield lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  }
}

/** Buffers the unfinished line at the end of each piece. */
class LineSplitter {
  #held: Uint8Array[] = [];
  #heldLength = 0;
  #tooLong = false;

  push(piece: Uint8Array): LineBlock | undefined {
    const last = piece.lastIndexOf(newline);
    if (last < 0) {
      this.#hold(piece);
      return undefined;
    }
    const block = this.#join(piece.subarray(0, last + 1));
    this.#hold(piece.slice(last + 1));
    return block;
  }

  end(): LineBlock | undefined {
    return this.#heldLength === 0 ? undefined : { ...this.#join(Uint8Array.of(newline)), isUnfinished: true };
  }

  #hold(piece: Uint8Array): void {
    const kept = piece.subarray(0, longestLine - this.#heldLength);
    if (kept.length < piece.length) this.#tooLong = true;
    if (kept.length === 0) return;
    this.#held.push(kept);
    this.#heldLength += kept.length;
  }

  /** The buffered line followed by `rest`, whose first newline ends it. */
  #join(rest: Uint8Array): LineBlock {
    if (this.#heldLength === 0) return { bytes: rest, cut: [] };
    const first = rest.indexOf(newline);
    this.#hold(rest.subarray(0, first));
    const block = { bytes: concatenated([...this.#held, rest.subarray(first)]), cut: this.#tooLong ? [0] : [] };
    this.#held = [];
    this.#heldLength = 0;
    this.#tooLong = false;
    return block;
  }
}

function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

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
