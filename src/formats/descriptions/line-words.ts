import { isName } from "../../core/variables/index.ts";
import { descriptionError, readWords, type DescriptionLine, type ErrorDetails, type Word } from "./lexical-syntax.ts";
import type { Origin, TextMark } from "./input/location-parts.ts";
import { compilePattern } from "../text/index.ts";

/** A descriptor and the descriptors after it that qualify it. */
export interface WordGroup {
  readonly first: Word;
  readonly more: ReadonlyMap<string, Word>;
}

const lists = [
  "map",
  "map_regexp",
  "created",
  "created_from",
  "created_to",
  "performed",
  "performed_from",
  "performed_to",
];

/** The words of one description line: bare words, and descriptors by their keys. */
export class LineWords {
  readonly line: DescriptionLine;
  readonly keyword: string;
  /** 1-based, where the keyword begins. */
  readonly column: number;
  readonly #named: Word[] = [];
  readonly #bare: Word[] = [];

  /** Fails on a descriptor that is not `allowed`, and on a repeated one that is not `repeatable`. */
  constructor(
    line: DescriptionLine,
    keyword: string,
    column: number,
    words: readonly Word[],
    allowed: readonly string[],
    repeatable: readonly string[],
  ) {
    this.line = line;
    this.keyword = keyword;
    this.column = column;
    for (const word of words) this.#add(word, allowed, repeatable);
  }

  #add(word: Word, allowed: readonly string[], repeatable: readonly string[]): void {
    const typed = word.key === undefined && !word.quoted && word.text === "typed" && allowed.includes("typed");
    const key = typed ? "typed" : word.key;
    if (key === undefined) {
      this.#bare.push(word);
      return;
    }
    if (!allowed.includes(key)) {
      const advice =
        allowed.length > 0 ? `${this.keyword} takes ${allowed.map((each) => `${each}=`).join(" ")}` : undefined;
      throw this.error(word, `${this.keyword} has no descriptor '${key}'`, {
        word: key,
        candidates: allowed,
        ...(advice ? { advice } : {}),
      });
    }
    if (word.list && !lists.includes(key)) throw this.error(word, `${key} takes one value, not a list`);
    if (!repeatable.includes(key) && this.one(key)) throw this.error(word, `${key} is given twice`);
    this.#named.push(typed ? { ...word, key, text: "yes" } : word);
  }

  get origin(): Origin {
    return { line: this.line.number, column: this.column };
  }

  error(word: { readonly column: number }, problem: string, details: ErrorDetails = {}): Error {
    return descriptionError(this.line, word.column, problem, details);
  }

  one(key: string): Word | undefined {
    return this.#named.find((word) => word.key === key);
  }

  /** In the order in which they are written. */
  all(...keys: readonly string[]): Word[] {
    return this.#named.filter((word) => word.key !== undefined && keys.includes(word.key));
  }

  /** Each descriptor of `firsts` with the `followers` after it. */
  groups(firsts: readonly string[], followers: readonly string[]): WordGroup[] {
    const groups: { first: Word; more: Map<string, Word> }[] = [];
    for (const word of this.all(...firsts, ...followers)) {
      const key = word.key ?? "";
      const last = groups.at(-1);
      if (firsts.includes(key)) groups.push({ first: word, more: new Map() });
      else if (!last) throw this.error(word, `${key} needs ${firsts.join("= or ")}= before it`);
      else if (last.more.has(key)) throw this.error(word, `${key} is given twice`);
      else last.more.set(key, word);
    }
    return groups;
  }

  /** The words without a key, at most `most`. */
  bareWords(most: number): readonly Word[] {
    const extra = this.#bare[most];
    if (extra)
      throw this.error(extra, `'${extra.text.slice(0, 80)}' is one word too many`, {
        advice: "quote values that contain blanks",
      });
    return this.#bare;
  }

  /** The only word without a key. */
  name(): string {
    const [word] = this.bareWords(1);
    if (!word) throw this.error(this, `${this.keyword} needs the name of a parameter or result`);
    return checkedName(this.line, word);
  }

  wholeNumber(word: Word, least = 0): number {
    const value =
      /^[+-]?\d{1,9}$/.test(word.text) && !(least >= 0 && /^[+-]/.test(word.text)) ? Number(word.text) + 0 : Number.NaN;
    if (value >= least) return value;
    throw this.error(
      word,
      `${word.key} '${word.text.slice(0, 80)}' is not an integer${least > -Infinity ? ` >= ${least}` : ""}`,
    );
  }

  number(key: string, least = 0): number | undefined {
    const word = this.one(key);
    return word ? this.wholeNumber(word, least) : undefined;
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const word = this.one(key);
    if (!word) return undefined;
    const found = choices.find((each) => each === word.text.toLowerCase());
    if (found !== undefined) return found;
    const problem = `${key} '${word.text.slice(0, 80)}' is neither ${choices.join(" nor ")}`;
    throw this.error(word, problem, { word: word.text, candidates: choices });
  }

  flag(key: string): boolean | undefined {
    const found = this.choice(key, ["yes", "no"]);
    return found === undefined ? undefined : found === "yes";
  }

  filled(word: Word): string {
    if (word.text !== "" && !/[\r\n]/.test(word.text)) return word.text;
    throw this.error(word, `${word.key} needs a text within one line`);
  }

  pattern(word: Word, text = this.filled(word)): string {
    compilePattern(text, { file: this.line.file, line: this.line.number, column: word.column });
    return text;
  }

  /** A text mark, or a pattern if the key ends in `regexp`. */
  mark(word: Word): TextMark {
    return word.key?.endsWith("regexp")
      ? { kind: "pattern", source: this.pattern(word) }
      : { kind: "keyword", text: this.filled(word) };
  }
}

export function checkedName(line: DescriptionLine, word: Word): string {
  if (isName(word.text)) return word.text;
  throw descriptionError(line, word.column, `'${word.text.slice(0, 80)}' is not a valid name of a parameter or result`);
}

/** True for an unquoted number with optional sign. */
export function isNumber(word: Word): boolean {
  return !word.quoted && /^[+-]?\d+$/.test(word.text);
}

/** The text up to the end of the line, quoted or not; undefined if there is none. */
export function restOfLine(line: DescriptionLine, from: number): string | undefined {
  const rest = line.text.slice(from).trim();
  if (!rest.startsWith('"')) return rest === "" ? undefined : rest;
  const [word, more] = readWords(line, from);
  if (more) throw descriptionError(line, more.column, `'${more.text}' is one word too many after the quoted value`);
  return word?.text ?? "";
}
