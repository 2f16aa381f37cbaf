import { isFailure } from "../../../core/failures/index.ts";
import type { InputLocation, RowMark, TextMark } from "../../../formats/descriptions/index.ts";
import { byteSpelling, type ByteText, compilePattern } from "../../../formats/text/index.ts";

/** Lines of a block that are compared with a mark. */
const mostLines = 200;
/** Minimum length of the word of a mark by which lines are found. */
const shortestWord = 3;
/** White space, NULs, and spaces without width. */
const blank = String.raw`[\s\0\u200b]`;
const blanks = new RegExp(`${blank}+`, "g");
/** Blanks in a pattern, with their repetition. */
const blankOfPattern = /(?: |\\t|\\s)([*+?]|\{\d+,?\d*\})?/g;

/** A mark of a table. */
interface SoughtMark {
  readonly shown: string;
  /** A word that each marked line has, one character per byte. */
  readonly word: string;
  readonly isIn: (line: string) => boolean;
  /** True for a line with the mark if blanks do not count. */
  readonly isRespacedIn: (line: string) => boolean;
}

/** The marks of a table, any of which starts it. */
interface SoughtTable {
  readonly marks: readonly SoughtMark[];
  /** The first line that has a mark in another spacing. */
  respaced?: { readonly line: number; readonly shown: string };
}

/** Finds marks of tables that no line has, but a line with other blanks has: newer outputs are often respaced. */
export class RespacedMarks {
  readonly #tables: readonly SoughtTable[];
  /** Tables whose marks were not found yet. */
  #open: readonly SoughtTable[];

  constructor(locations: readonly InputLocation[]) {
    this.#tables = locations.flatMap(marksOf).flatMap((marks) => soughtTable(marks) ?? []);
    this.#open = this.#tables;
  }

  /** Searches a block; `first`: the number of its first line. */
  search(block: ByteText, first: number): void {
    if (this.#open.length > 0) this.#open = this.#open.filter((table) => !this.#isFound(table, block, first));
  }

  /** At the end of the input: the marks that only lines with other blanks have. */
  *found(): Generator<{ readonly line: number; readonly text: string }> {
    const known = new Set<string>();
    for (const { respaced } of this.#open) {
      if (!respaced || known.has(respaced.shown)) continue;
      known.add(respaced.shown);
      const text = `no line matches '${respaced.shown}'; line ${respaced.line} differs only in blanks`;
      yield { line: respaced.line, text };
    }
  }

  /** True if the block has one of the marks, or too many lines that may have it. */
  #isFound(table: SoughtTable, block: ByteText, first: number): boolean {
    return table.marks.some((mark) => {
      let lines = 0;
      for (const { text, at } of linesWith(mark.word, block)) {
        lines += 1;
        if (lines > mostLines || mark.isIn(text)) return true;
        // The description may have a table for each spacing.
        if (table.respaced || !mark.isRespacedIn(text) || this.#isMarked(text)) continue;
        table.respaced = { line: first + newlinesBefore(block.text, at), shown: mark.shown };
      }
      return false;
    });
  }

  #isMarked(line: string): boolean {
    return this.#tables.some(({ marks }) => marks.some((mark) => mark.isIn(line)));
  }
}

function marksOf(location: InputLocation): (readonly RowMark[])[] {
  if (location.kind === "table" || location.kind === "matrix") return [location.rows];
  return location.kind === "transposed" ? location.values.map(({ row }) => [row]) : [];
}

/** undefined: the marks cannot be searched by a word. */
function soughtTable(marks: readonly RowMark[]): SoughtTable | undefined {
  const sought = marks.map((mark) => (mark.kind === "number" ? undefined : soughtMark(mark)));
  const known = sought.flatMap((mark) => mark ?? []);
  return known.length > 0 && known.length === marks.length ? { marks: known } : undefined;
}

function soughtMark(mark: TextMark): SoughtMark | undefined {
  return mark.kind === "keyword" ? soughtKeyword(mark.text) : soughtPattern(mark.source);
}

function soughtKeyword(shown: string): SoughtMark | undefined {
  const word = longestWordOf(shown);
  if (word === undefined) return undefined;
  const respaced = respacedKeyword(shown);
  return { shown, word, isIn: (line) => line.includes(shown), isRespacedIn: (line) => respaced?.test(line) === true };
}

/** Blanks between words, and next to signs, may vary; words stay whole. undefined: the text is a single word. */
function respacedKeyword(text: string): RegExp | undefined {
  const pieces = text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu) ?? [];
  if (pieces.length < 2) return undefined;
  const source = pieces.map((piece, at) => {
    const isBetweenWords = isWord(piece) && isWord(pieces[at - 1] ?? "");
    const before = at === 0 ? "" : `${blank}${isBetweenWords ? "+" : "*"}`;
    return before + piece.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  });
  return new RegExp(source.join(""), "u");
}

function isWord(text: string): boolean {
  return /^[\p{L}\p{N}_]/u.test(text);
}

function soughtPattern(source: string): SoughtMark | undefined {
  const pattern = compilePattern(source);
  const word = longestWordOf(pattern.literal);
  const respaced = respacedPattern(source);
  if (word === undefined || !respaced) return undefined;
  const isRespacedIn = (line: string): boolean => {
    const plain = line.replaceAll(blanks, " ");
    return respaced.test(plain) || respaced.test(plain.trim());
  };
  return { shown: source, word, isIn: (line) => pattern.test(line), isRespacedIn };
}

/** The pattern with any number of blanks where it has some. */
function respacedPattern(source: string): ReturnType<typeof compilePattern> | undefined {
  const respaced = source.replaceAll(blankOfPattern, (_, times = "") =>
    /^[*?]/.test(times) ? String.raw`\s*` : String.raw`\s+`,
  );
  try {
    return compilePattern(respaced.replaceAll(/(?:\\s\+){2,}/g, String.raw`\s+`));
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
}

function longestWordOf(text: string): string | undefined {
  const [longest = ""] = (text.match(/[\p{L}\p{N}_]+/gu) ?? []).toSorted((a, b) => b.length - a.length);
  return longest.length < shortestWord ? undefined : byteSpelling(longest);
}

/** The lines of a block that have a word, with their offsets. */
function* linesWith(word: string, block: ByteText): Generator<{ readonly text: string; readonly at: number }> {
  for (let found = block.text.indexOf(word); found >= 0;) {
    const at = block.text.lastIndexOf("\n", found) + 1;
    const end = block.text.indexOf("\n", found);
    const text = block.textBetween(at, end < 0 ? block.text.length : end, () => {});
    yield { text: text.replace(/\r$/, ""), at };
    found = end < 0 ? -1 : block.text.indexOf(word, end);
  }
}

function newlinesBefore(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
