import type { ByteText } from "../../../../formats/text/index.ts";
import { lineAt } from "../line.ts";
import type { Scanner } from "./row-scanner.ts";
import type { Cell } from "./table-column.ts";

const quote = 34;

/** The cells of the row that a scanner has split, one at a time. */
export class RowCell implements Cell {
  readonly #scanner: Scanner;
  readonly isDelimited: boolean;
  readonly #isQuoted: boolean;
  readonly #foreign: () => void;
  #block: ByteText | undefined;
  #start = 0;
  #entry = 0;
  number = 0;

  /**
   * `isDelimited`: entries may be empty or have blanks; `isQuoted`: double quotes may enclose them. `foreign` is called
   * for text that is not UTF-8.
   */
  constructor(scanner: Scanner, isDelimited: boolean, isQuoted: boolean, foreign: () => void) {
    this.#scanner = scanner;
    this.isDelimited = isDelimited;
    this.#isQuoted = isQuoted;
    this.#foreign = foreign;
  }

  /** Selects the row that starts at an offset of a block. */
  setRow(block: ByteText, start: number, number: number): void {
    this.#block = block;
    this.#start = start;
    this.number = number;
  }

  /** Selects a 0-based entry; -1: none, only the row. */
  at(entry: number): this {
    this.#entry = entry;
    return this;
  }

  get isEmpty(): boolean {
    const { starts, ends } = this.#scanner;
    return this.isDelimited && this.#entry >= 0 && starts[this.#entry] === ends[this.#entry];
  }

  get text(): string {
    const start = this.#scanner.starts[this.#entry] as number;
    const text = this.#block?.textBetween(start, this.#scanner.ends[this.#entry] as number, this.#foreign) ?? "";
    return this.#isQuoted && this.#block?.bytes[start - 1] === quote ? text.replaceAll('""', '"') : text;
  }

  get entry(): string {
    return this.#entry < 0 ? "" : this.text;
  }

  get rest(): string {
    return this.#restFrom(this.#scanner.starts[this.#entry] ?? this.#start);
  }

  get row(): string {
    return this.#restFrom(this.#start);
  }

  #restFrom(from: number): string {
    return this.#block ? lineAt(this.#block, this.#start, this.number, this.#foreign).rest(from) : "";
  }
}
