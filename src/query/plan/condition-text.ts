import { Failure } from "../../core/failures/failure.ts";
import type { Junction } from "../../core/experiments/query-description.ts";

/** A condition as written: comparisons joined by `and` and `or`. */
export type ConditionText = string | { readonly junction: Junction; readonly of: readonly ConditionText[] };

const deepest = 50;
/** What the beginning of a comparison looks like; whatever else follows `and` belongs to the content before it. */
const comparison = /^\(*\s*[^\s=!<>~()]+(?:\s*[=!<>~]|\s+(?:in|is|null|notnull)(?:\s|\)|$))/i;

/**
 * Takes `(op = write or op = read) and size >= 1KiByte` apart. `and` and `or` are not mixed without parentheses; what
 * stands between double quotes is one content. Fails with `bad-condition`.
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

  /** Up to a word that joins it to another comparison, or to the parenthesis that is closed behind it. */
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

/** The place of the quote that ends what the quote at `from` begins; that one itself where none does. */
function closingQuote(text: string, from: number): number {
  const end = text.indexOf('"', from + 1);
  return end < 0 ? from : end;
}
