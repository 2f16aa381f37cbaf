import { Failure } from "../core/failures/index.ts";

/** A parsed command line. Options are named by their long flag in camelCase. */
export class Arguments {
  readonly operands: readonly (string | readonly string[] | undefined)[];
  /** All words in their original order, for verbs that depend on it. */
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

  /** The required operand at `index`. */
  operand(index: number): string {
    const word = this.operands[index];
    if (typeof word !== "string") throw new Failure("missing-operand", { index: index + 1 });
    return word;
  }

  /** The optional operand at `index`. */
  optionalOperand(index: number): string | undefined {
    const word = this.operands[index];
    return typeof word === "string" ? word : undefined;
  }

  /** The words of a variadic operand. */
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

  /** Values of an option with two words each time. */
  pairs(name: string): readonly (readonly [string, string])[] {
    const words = this.texts(name);
    const pairs: [string, string][] = [];
    for (let i = 0; i + 1 < words.length; i += 2) pairs.push([words[i] as string, words[i + 1] as string]);
    return pairs;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  /** A switch with a `--no-` counterpart: `["true"]`, `["false"]`, or empty if neither is given. */
  switched(name: string): readonly string[] {
    const value = this.#options[name];
    return typeof value === "boolean" ? [String(value)] : [];
  }

  /** An integer of at least `least`. Fails with `bad-option`. */
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
