import { mostEntries, type Scanner } from "./row-scanner.ts";

/** Joins the words of a label into one entry, so that each row has the same number of entries. */
export class LabelScanner implements Scanner {
  readonly #words: Scanner;
  /** 0-based entry of the label. */
  readonly #label: number;
  readonly #entries: number;
  count = 0;

  /** `entries`: of a row, with the label as one. */
  constructor(words: Scanner, label: number, entries: number) {
    this.#words = words;
    this.#label = label;
    this.#entries = entries;
  }

  get starts(): Int32Array {
    return this.#words.starts;
  }

  get ends(): Int32Array {
    return this.#words.ends;
  }

  scan(bytes: Uint8Array, from: number): number {
    const end = this.#words.scan(bytes, from);
    const { count } = this.#words;
    const extra = count - this.#entries;
    this.count = extra > 0 && count <= mostEntries ? this.#entries : count;
    if (this.count === count) return end;
    this.ends[this.#label] = this.ends[this.#label + extra] as number;
    this.starts.copyWithin(this.#label + 1, this.#label + 1 + extra, count);
    this.ends.copyWithin(this.#label + 1, this.#label + 1 + extra, count);
    return end;
  }
}
