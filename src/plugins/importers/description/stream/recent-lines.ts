import type { ByteText } from "../../../../formats/text/text-encoding.ts";

const newline = "\n";

/** Gives access to preceding lines, including those of earlier blocks. */
export class RecentLines {
  readonly #kept: number;
  readonly #foreign: () => void;
  /** The last lines of earlier blocks, latest first. */
  #earlier: string[] = [];

  constructor(kept: number, foreign: () => void) {
    this.#kept = kept;
    this.#foreign = foreign;
  }

  /** Stores the last lines of a finished block. */
  keep(block: ByteText): void {
    if (this.#kept === 0) return;
    const lines: string[] = [];
    let end = block.text.length;
    while (end > 0 && lines.length < this.#kept) {
      const start = block.text.lastIndexOf(newline, end - 2) + 1;
      lines.push(this.#textOf(block, start, end - 1));
      end = start;
    }
    this.#earlier = [...lines, ...this.#earlier].slice(0, this.#kept);
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
