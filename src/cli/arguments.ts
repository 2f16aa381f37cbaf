import { Failure } from "../core/failures/failure.ts";

/** The parsed words of one command line. Option names are those of the long flag, camel-cased. */
export class Arguments {
  readonly operands: readonly (string | readonly string[] | undefined)[];
  /** All words as they stood on the command line, for the few verbs to which their order matters. */
  readonly words: readonly string[];
  readonly #options: Readonly<Record<string, unknown>>;

  constructor(
    operands: readonly (string | readonly string[] | undefined)[],
    options: Readonly<Record<string, unknown>>,
    words: readonly string[] = [],
  ) {
    this.operands = operands;
    this.words = words;
    this.#options = options;
  }

  /** The operand at `index`, which the verb declared as required. */
  operand(index: number): string {
    const word = this.operands[index];
    if (typeof word !== "string") throw new Failure("missing-operand", { index: index + 1 });
    return word;
  }

  /** The optional operand at `index`. */
  maybeOperand(index: number): string | undefined {
    const word = this.operands[index];
    return typeof word === "string" ? word : undefined;
  }

  /** The words of a trailing operand. */
  rest(index: number): readonly string[] {
    const words = this.operands[index];
    return Array.isArray(words) ? (words as readonly string[]) : [];
  }

  text(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === "string" ? value : undefined;
  }

  texts(name: string): readonly string[] {
    const value = this.#options[name];
    if (typeof value === "string") return [value];
    return Array.isArray(value) ? value.filter((word): word is string => typeof word === "string") : [];
  }

  /** Values of an option that takes two words each time. */
  pairs(name: string): readonly (readonly [string, string])[] {
    const words = this.texts(name);
    const pairs: [string, string][] = [];
    for (let i = 0; i + 1 < words.length; i += 2) pairs.push([words[i] as string, words[i + 1] as string]);
    return pairs;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  /** A switch with a `--no-` counterpart as a text; nothing when neither was given. */
  switched(name: string): readonly string[] {
    const value = this.#options[name];
    return typeof value === "boolean" ? [String(value)] : [];
  }

  /** A whole number, at least `least`. */
  count(name: string, least = 0): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (!(number >= least))
      throw new Failure("bad-option", { option, value: text, expected: `a whole number >= ${least}` });
    return number;
  }
}
