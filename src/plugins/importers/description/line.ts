import type { ByteText } from "../../../formats/text/index.ts";

const newline = "\n";

/** One line of a block; offsets are relative to the block. */
export interface Line {
  readonly block: ByteText;
  readonly start: number;
  /** Offset of the newline. */
  readonly end: number;
  /** 1-based, in the input. */
  readonly number: number;
  /** The text from an offset to the end of the line, without carriage return. */
  rest(from: number): string;
  /** The text from the beginning of the line to an offset. */
  before(to: number): string;
}

export function lineAt(block: ByteText, start: number, number: number, foreign: () => void): Line {
  return new BlockLine(block, start, number, foreign);
}

/** A class, since one is made for every examined line. */
class BlockLine implements Line {
  readonly block: ByteText;
  readonly start: number;
  readonly end: number;
  readonly number: number;
  /** Offset of the end without carriage return. */
  readonly #last: number;
  readonly #foreign: () => void;

  constructor(block: ByteText, start: number, number: number, foreign: () => void) {
    const at = block.text.indexOf(newline, start);
    const end = at < 0 ? block.text.length : at;
    this.block = block;
    this.start = start;
    this.end = end;
    this.number = number;
    this.#last = end > start && block.bytes[end - 1] === 13 ? end - 1 : end;
    this.#foreign = foreign;
  }

  rest(from: number): string {
    return this.block.textBetween(Math.min(from, this.#last), this.#last, this.#foreign);
  }

  before(to: number): string {
    return this.block.textBetween(this.start, Math.min(to, this.#last), this.#foreign);
  }
}

/** Gives access to preceding lines, including those of earlier blocks. */
export class RecentLines {
  readonly #count: number;
  readonly #foreign: () => void;
  /** The last lines of earlier blocks, latest first. */
  #earlier: string[] = [];

  constructor(count: number, foreign: () => void) {
    this.#count = count;
    this.#foreign = foreign;
  }

  /** Stores the last lines of a finished block. */
  keep(block: ByteText): void {
    if (this.#count === 0) return;
    const lines: string[] = [];
    let end = block.text.length;
    while (end > 0 && lines.length < this.#count) {
      const start = block.text.lastIndexOf(newline, end - 2) + 1;
      lines.push(this.#textOf(block, start, end - 1));
      end = start;
    }
    this.#earlier = [...lines, ...this.#earlier].slice(0, this.#count);
  }

  /** The line `lines` before the one that begins at `start`. */
  before(block: ByteText, start: number, lines: number): string | undefined {
    let begin = start;
    for (let left = lines; left > 0; left--) {
      if (begin === 0) return this.#earlier[left - 1];
      const end = begin - 1;
      begin = end === 0 ? 0 : block.text.lastIndexOf(newline, end - 1) + 1;
      if (left === 1) return this.#textOf(block, begin, end);
    }
    return undefined;
  }

  #textOf(block: ByteText, start: number, end: number): string {
    const text = block.textBetween(start, end, this.#foreign);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }
}
