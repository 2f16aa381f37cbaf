import type { Literal } from "./keyword-search.ts";

/** With fewer keywords, searching each is as fast. */
const fewest = 4;

/**
 * Keywords that the last block did not have. They are searched together in the next one: one pass instead of one per
 * keyword, since most keywords are in the first block of an input only.
 */
export class AbsentKeywords {
  readonly #all: readonly Literal[];
  #sought: readonly Literal[] = [];
  #pattern = /(?:)/;

  constructor(literals: readonly Literal[]) {
    this.#all = literals;
  }

  /** A new block begins: resets all keywords. */
  begin(text: string): void {
    const absent = this.#all.filter((literal) => literal.isAbsent);
    for (const literal of this.#all) literal.reset();
    if (absent.length < fewest) return;
    if (absent.length !== this.#sought.length || absent.some((literal, at) => literal !== this.#sought[at])) {
      this.#sought = absent;
      this.#pattern = new RegExp(absent.map(({ spelling }) => escaped(spelling)).join("|"));
    }
    if (!this.#pattern.test(text)) for (const literal of absent) literal.reset(true);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
