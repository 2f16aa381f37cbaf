import { conversion, sameDimension, type Unit } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { barePrefix, isUnitWord, unitOf } from "./unit-words.ts";

/** A number and a word after it, which is no name: `5 K`, `3.2 MiB`, `7ms`. */
const amount = String.raw`([+-]?(?:\d[\d.,]*|\.\d+)(?:[eE][+-]?\d+)?)`;
const withWord = String.raw`${amount}([ \t\u00a0]*)([A-Za-z\u00b5\u03bc%][\w\u00b5\u03bc/%]{0,40})`;
const first = new RegExp(String.raw`^[\s([{<|=:]*${withWord}(?=[\s,;)\]}|.]|$)`);
const last = new RegExp(String.raw`(?:^|\s)${withWord}\s*$`);

/** Characters that are searched next to a mark. */
const longest = 60;

/**
 * Examines what follows the numbers of a variable without a unit: a bare prefix may make a number a thousand times
 * larger (`5 K`), and numbers in several units (`5 KB`, then `3 MB`) are not comparable.
 */
export class UnitDoubts {
  /** False: the variable or its location has a unit, or its texts are changed before they are read. */
  readonly areExamined: boolean;
  readonly #name: string;
  #unit: Unit | undefined;
  #word = "";

  constructor(
    { name, type, unit }: Pick<Variable, "name" | "type" | "unit">,
    { prefixes, unit: given, scale, length, filters = [], maps = [] }: Cut,
  ) {
    const isGiven = [unit, prefixes, given, scale, length].some((each) => each !== undefined);
    this.areExamined = hasUnits(type) && !isGiven && filters.length + maps.length === 0;
    this.#name = name;
  }

  /** The doubt about the number next to a mark. `leads`: it precedes its mark. */
  nextToMark(text: string, leads = false): string | undefined {
    if (!this.areExamined) return undefined;
    const found = leads ? last.exec(text.slice(-longest)) : first.exec(text.slice(0, longest));
    if (!found) return undefined;
    const [, digits = "", blank, word = ""] = found;
    // Readers refuse what is attached to a number and is a bare prefix.
    return blank === "" && barePrefix.test(word) ? undefined : this.before(digits, word);
  }

  /** The doubt about a number before a word. */
  before(digits: string, word: string): string | undefined {
    if (barePrefix.test(word))
      return `'${digits} ${word}' may have a prefix: ${digits} is read; give prefixes=decimal or binary`;
    const unit = unitOf(word);
    if (!unit || !isUnitWord(unit, word)) return undefined;
    if (this.#unit === undefined) [this.#unit, this.#word] = [unit, word];
    if (!sameDimension(unit, this.#unit)) return undefined;
    const { times, over } = conversion(unit, this.#unit);
    if (times === over) return undefined;
    const read = `'${digits} ${word}' is read as ${digits}, and a number in ${this.#word} before it`;
    return `${read}; give '${this.#name}' a unit`;
  }
}
