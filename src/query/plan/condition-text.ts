import { Failure } from "../../core/failures/index.ts";
import type { Junction } from "../../core/experiments/index.ts";

/** A condition as written: comparisons combined by `and` and `or`. */
export type ConditionText = string | { readonly junction: Junction; readonly of: readonly ConditionText[] };

const deepest = 50;
/** The start of a comparison; any other text after `and` is part of the value before it. */
const comparison =
  /^\(*\s*[^\s=!<>~()]+(?:\s*[=!<>~]|\s+(?:in|not\s+in|is|null|notnull|contains|lacks|like)(?:\s|\)|$))/i;

/**
 * Parses `(op = write or op = read) and size >= 1KiByte` into comparisons. `and` and `or` cannot be mixed without
 * parentheses; text in double quotes is one value. Fails with `bad-condition`.
 */
export function splitCondition(text: string): ConditionText {
  const reader = new Reader(text);
  const found = reader.junction(0);
  reader.end();
  return found;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.trim();
  }

  junction(depth: number): ConditionText {
    if (depth > deepest) throw this.#bad(`conditions are nested deeper than ${deepest}`);
    const of = [this.#member(depth)];
    let junction: Junction | undefined;
    for (let word = this.#joint(); word !== undefined; word = this.#joint()) {
      if (junction !== undefined && word !== junction)
        throw this.#bad("'and' and 'or' are mixed: put parentheses around what belongs together");
      junction = word;
      of.push(this.#member(depth));
    }
    return junction === undefined ? (of[0] ?? "") : { junction, of };
  }

  end(): void {
    if (this.#at < this.#text.length)
      throw this.#bad(`'${this.#text.slice(this.#at, this.#at + 40)}' is not expected there`);
  }

  #member(depth: number): ConditionText {
    this.#skip();
    if (this.#text[this.#at] !== "(") return this.#leaf(depth);
    this.#at += 1;
    const inner = this.junction(depth + 1);
    this.#skip();
    if (this.#text[this.#at] !== ")") throw this.#bad("a parenthesis is not closed");
    this.#at += 1;
    return inner;
  }

  /** Up to `and` or `or`, or to the closing parenthesis. */
  #leaf(depth: number): string {
    const from = this.#at;
    let open = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at];
      if (character === '"') this.#at = closingQuote(this.#text, this.#at);
      else if (character === "(") open += 1;
      else if (character === ")" && open === 0 && depth > 0) break;
      else if (character === ")") open -= 1;
      else if (open <= 0 && this.#at > from && this.#isJoint()) break;
    }
    return this.#text.slice(from, this.#at).trim();
  }

  #isJoint(): boolean {
    const word = /^\s+(?:and|or)\s+/i.exec(this.#text.slice(this.#at, this.#at + 200))?.[0];
    return (
      word !== undefined && comparison.test(this.#text.slice(this.#at + word.length, this.#at + word.length + 300))
    );
  }

  #joint(): Junction | undefined {
    const found = /^\s*(and|or)(?=[\s(])\s*/i.exec(this.#text.slice(this.#at));
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found[1]?.toLowerCase() === "or" ? "or" : "and";
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #bad(problem: string): Failure {
    return new Failure("bad-condition", { condition: this.#text.slice(0, 200), problem });
  }
}

/** The index of the closing quote; `from` if there is none. */
function closingQuote(text: string, from: number): number {
  const end = text.indexOf('"', from + 1);
  return end < 0 ? from : end;
}
