import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";

/** A line of a description. All text descriptions share words, quoting and error positions. */
export interface DescriptionLine {
  readonly file: string;
  /** 1-based. */
  readonly number: number;
  readonly text: string;
}

/** `text`, `"quoted text"`, `key=text`, `key="quoted text"` or `key={a,b,"c d"}`. */
export interface Word {
  /** 1-based, of the word's first character. */
  readonly column: number;
  readonly key?: string;
  readonly text: string;
  readonly quoted: boolean;
  readonly list?: readonly string[];
}

const largestDescription = 1 << 20;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };

/** The lines of a description without byte order mark and carriage returns. */
export function descriptionLines(text: string, file: string): DescriptionLine[] {
  if (text.length > largestDescription) {
    const problem = `a description of ${text.length} characters is too long, at most ${largestDescription} are read`;
    throw new Failure("description-error", {
      file,
      line: 1,
      column: 1,
      problem,
      advice: "give the description, not the data",
    });
  }
  const lines = text.replace(/^\ufeff/, "").split("\n");
  return lines.map((line, at) => ({ file, number: at + 1, text: line.replace(/\r$/, "") }));
}

export interface ErrorDetails {
  readonly word?: string;
  readonly candidates?: readonly string[];
  readonly advice?: string;
}

/** `file:line:col: problem, did you mean …?` */
export function descriptionError(
  line: DescriptionLine,
  column: number,
  problem: string,
  details: ErrorDetails = {},
): Failure {
  const near =
    details.word === undefined ? "" : nearest(details.word.slice(0, 64), details.candidates ?? []).join(", ");
  const { file, number } = line;
  return new Failure("description-error", {
    file,
    line: number,
    column,
    problem,
    word: details.word,
    near,
    advice: details.advice,
  });
}

/** Splits a line into words from `from` (0-based) on; fails with `description-error` at an unclosed quote or list. */
export function readWords(line: DescriptionLine, from = 0): Word[] {
  const words: Word[] = [];
  const reader = new WordReader(line, from);
  for (;;) {
    reader.skipBlanks();
    if (reader.atEnd) return words;
    words.push(reader.word());
  }
}

class WordReader {
  readonly #line: DescriptionLine;
  #at: number;

  constructor(line: DescriptionLine, at: number) {
    this.#line = line;
    this.#at = at;
  }

  get atEnd(): boolean {
    return this.#at >= this.#line.text.length;
  }

  skipBlanks(): void {
    while (/\s/.test(this.#next)) this.#at += 1;
  }

  word(): Word {
    const column = this.#at + 1;
    const key = /^[A-Za-z_]+(?==)/.exec(this.#line.text.slice(this.#at, this.#at + 40))?.[0].toLowerCase();
    if (key !== undefined) this.#at += key.length + 1;
    const named = key === undefined ? {} : { key };
    if (key !== undefined && this.#next === "{")
      return { column, ...named, text: "", quoted: false, list: this.#list() };
    const quoted = this.#next === '"';
    return { column, ...named, text: quoted ? this.#quotedText() : this.#bareText(/\s/), quoted };
  }

  get #next(): string {
    return this.#line.text.charAt(this.#at);
  }

  #bareText(end: RegExp): string {
    const start = this.#at;
    while (!this.atEnd && !end.test(this.#next)) this.#at += 1;
    return this.#line.text.slice(start, this.#at);
  }

  #quotedText(): string {
    const start = this.#at;
    let text = "";
    for (this.#at += 1; this.#next !== '"'; this.#at += 1) {
      if (this.atEnd) throw descriptionError(this.#line, start + 1, "this quote is not closed on its line");
      const escape = this.#next === "\\";
      if (escape) this.#at += 1;
      text += escape ? this.#escaped() : this.#next;
    }
    this.#at += 1;
    if (!this.atEnd && !/[\s,}]/.test(this.#next))
      throw descriptionError(this.#line, this.#at + 1, "a blank is missing after the closing quote");
    return text;
  }

  #escaped(): string {
    const character = escapes[this.#next];
    if (character !== undefined) return character;
    throw descriptionError(this.#line, this.#at, `'\\${this.#next}' is not an escape`, {
      advice: 'write \\\\ for a backslash, \\" for a quote, \\n, \\t or \\r',
    });
  }

  #list(): string[] {
    const start = this.#at;
    const items: string[] = [];
    this.#at += 1;
    for (;;) {
      this.skipBlanks();
      if (this.atEnd) throw descriptionError(this.#line, start + 1, "this list is not closed by '}'");
      if (this.#next === "}") break;
      items.push(this.#next === '"' ? this.#quotedText() : this.#bareText(/[,}]/).trimEnd());
      this.skipBlanks();
      if (this.#next === ",") this.#at += 1;
      else if (!this.atEnd && this.#next !== "}")
        throw descriptionError(this.#line, this.#at + 1, "a ',' or '}' is missing here");
    }
    this.#at += 1;
    return items;
  }
}

/** Prints a word so that it reads back: quoted unless it is plain. */
export function printWord(text: string): string {
  return /^[\p{L}\p{N}_./:%$^*+@<>!?-][\p{L}\p{N}_./:%$^*+@<>!?#-]*$/u.test(text) ? text : quote(text);
}

export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r")}"`;
}

export function printList(items: readonly string[]): string {
  return `{${items.map((item) => (/^[\p{L}\p{N}_.:+-]+$/u.test(item) ? item : quote(item))).join(",")}}`;
}
