import { descriptionError, type DescriptionLine, type ErrorDetails } from "../lexical-syntax.ts";

/** `'a text'` with the escapes \', \\, \n and \r, a word, a sign, or the end. */
export interface Token {
  readonly kind: "text" | "word" | "sign" | "end";
  readonly text: string;
  /** 0-based offset in the text. */
  readonly at: number;
}

const lineEnds: Readonly<Record<string, string>> = { n: "\n", r: "\r" };

/** The tokens of a filter or a term. */
export class Tokens {
  next: Token;
  readonly #text: string;
  readonly #pattern: RegExp;
  readonly #failure: (at: number, problem: string, details: ErrorDetails) => Error;
  #at = 0;

  /**
   * `pattern` is sticky and has three groups: quoted text, a word, a sign. `columnOf` converts an offset of the text to
   * the 1-based column of the line.
   */
  constructor(line: DescriptionLine, text: string, pattern: RegExp, columnOf: (at: number) => number) {
    this.#text = text;
    this.#pattern = pattern;
    this.#failure = (at, problem, details): Error => descriptionError(line, columnOf(at), problem, details);
    this.next = this.#read();
  }

  take(): Token {
    const taken = this.next;
    this.next = this.#read();
    return taken;
  }

  is(kind: Token["kind"], ...texts: readonly string[]): boolean {
    return this.next.kind === kind && (texts.length === 0 || texts.includes(this.next.text));
  }

  takeSign(...signs: readonly string[]): string | undefined {
    return this.is("sign", ...signs) ? this.take().text : undefined;
  }

  needSign(sign: string): void {
    if (this.takeSign(sign) === undefined) throw this.error(`'${sign}' is missing here`);
  }

  /** Fails unless all tokens are consumed. */
  needEnd(): void {
    if (this.next.kind !== "end") throw this.error(`'${this.next.text.slice(0, 40)}' is not expected there`);
  }

  error(problem: string, details: ErrorDetails = {}): Error {
    return this.#failure(this.next.at, problem, details);
  }

  #read(): Token {
    const at = this.#at + (/^\s*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0);
    if (at >= this.#text.length) return { kind: "end", text: "", at: this.#text.length };
    this.#pattern.lastIndex = at;
    const [, quoted, word, sign = ""] = this.#pattern.exec(this.#text) ?? [];
    const next = this.#text.charAt(at);
    if (quoted === undefined && word === undefined && sign === "")
      throw this.#failure(at, next === "'" ? "this quote is not closed" : `'${next}' is not expected there`, {});
    this.#at = this.#pattern.lastIndex;
    if (quoted !== undefined)
      return {
        kind: "text",
        text: quoted.replaceAll(/\\(.)/gsu, (_, escaped: string) => lineEnds[escaped] ?? escaped),
        at,
      };
    return word === undefined ? { kind: "sign", text: sign, at } : { kind: "word", text: word, at };
  }
}

/** Prints a single-quoted text; `Tokens` reads it back. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
}
