import { byteSpelling } from "../../../../formats/text/index.ts";
import type { Line } from "../line.ts";

/** A keyword that is searched in complete blocks rather than line by line. Caches its search position. */
export class Literal {
  readonly length: number;
  readonly spelling: string;
  readonly #wordStart: boolean;
  readonly #wordEnd: boolean;
  #found = -1;
  #isAbsent = false;

  /** `whole`: a keyword that begins (ends) with a word character does not match inside a longer word. */
  constructor(spelling: string, whole: boolean) {
    this.spelling = spelling;
    this.length = spelling.length;
    this.#wordStart = whole && isWordCode(spelling.charCodeAt(0));
    this.#wordEnd = whole && isWordCode(spelling.charCodeAt(spelling.length - 1));
  }

  /** A new block begins. `isAbsent`: it does not have the keyword. */
  reset(isAbsent = false): void {
    this.#found = isAbsent ? Number.POSITIVE_INFINITY : -1;
    this.#isAbsent = isAbsent;
  }

  /** True if the keyword was searched in this block, and the block does not have it. */
  get isAbsent(): boolean {
    return this.#isAbsent;
  }

  /**
   * The first occurrence at or after `from`; Infinity when the block has no more. `from` must not decrease within a
   * block.
   */
  next(text: string, from: number): number {
    if (this.#found >= from) return this.#found;
    const isFirst = this.#found < 0;
    this.#found = this.#search(text, from);
    if (isFirst) this.#isAbsent = this.#found === Number.POSITIVE_INFINITY;
    return this.#found;
  }

  #search(text: string, from: number): number {
    for (let at = text.indexOf(this.spelling, from); at >= 0; at = text.indexOf(this.spelling, at + 1)) {
      if (this.#stands(text, at)) return at;
    }
    return Number.POSITIVE_INFINITY;
  }

  #stands(text: string, at: number): boolean {
    if (this.#wordStart && at > 0 && isWordCode(text.charCodeAt(at - 1))) return false;
    const end = at + this.length;
    return !this.#wordEnd || end >= text.length || !isWordCode(text.charCodeAt(end));
  }

  /** All occurrences within a line, in order. */
  *within(line: Line): Generator<number> {
    for (let at = this.next(line.block.text, line.start); at < line.end; at = this.#search(line.block.text, at + 1))
      yield at;
  }
}

/** ASCII letters and digits, `_`, and all non-ASCII bytes. */
function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    (code >= 97 && code <= 122) ||
    code >= 128
  );
}

/** A keyword in UTF-8 and, if different, in latin1. */
export function literalsOf(keyword: string, whole: boolean): Literal[] {
  const spelled = byteSpelling(keyword);
  const isLatin1 = Array.from(keyword).every((character) => (character.codePointAt(0) ?? 0) < 256);
  const spellings = spelled === keyword || !isLatin1 ? [spelled] : [spelled, keyword];
  return spellings.map((spelling) => new Literal(spelling, whole));
}

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
