import {
  InvalidValue,
  noBreakSpaces,
  readFloat,
  readValue,
  type Unit,
  type Value,
} from "../../../core/values/index.ts";
import { columnKind } from "../../../core/tables/index.ts";
import { hasUnits, type Variable } from "../../../core/variables/index.ts";
import type { Cut } from "../../../formats/descriptions/index.ts";
import { extractNumber } from "./extract-number.ts";
import { checkNotation } from "./values/notation-check.ts";
import { NumberReader } from "./values/number-reader.ts";
import { isTimeType, TimeReader } from "./values/time-reader.ts";
import { PartialNumber, UnfitNumber } from "./values/unfit-number.ts";
import { withoutTolerance } from "./values/unit-words.ts";
import { valueTransform } from "./value-transform.ts";

export { UnfitNumber };

export type PresentValue = Exclude<Value, null>;

/**
 * undefined: the text has no value of the type. InvalidValue: it has one that cannot be read without doubt, which is
 * reported; UnfitNumber: one that the variable cannot hold, which ends the import.
 */
export type ReadValue = PresentValue | InvalidValue | undefined;

/** Brackets, and the signs `:` and `|` between entries, after a word. */
const closing = /[,;:|)\]}>]+$/;

/** A text of nothing but a number, which most marks have next to them. */
const loneNumber = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*$/;

/** Maximum number of words that are examined: a time with its zone, a number with groups of digits. */
const mostWords = 12;
/** Maximum length in characters of numbers, dates and words. */
const longestWord = 500;

export function isTextType({ type }: Pick<Variable, "type">): boolean {
  return type === "string" || type === "text";
}

/** Reads the value of one variable from text at the position that the description selects. */
export class ValueReader {
  readonly variable: Variable;
  readonly #cut: Cut;
  readonly #blank: RegExp;
  /** Numbers are read without conversion and in their usual notation. */
  readonly #isPlain: boolean;
  readonly #number: NumberReader | undefined;
  readonly #time: TimeReader | undefined;
  /** Filters and maps; undefined when there are none. */
  readonly #shape: ((text: string) => string) | undefined;
  /** For messages: `float`, `integer of 2 bytes`. */
  readonly typeName: string;

  /** Fails with `unit-mismatch` when the input's unit cannot become the variable's, and with `notation-mismatch`. */
  constructor(variable: Variable, cut: Cut) {
    checkNotation(variable, cut);
    this.variable = variable;
    this.#cut = cut;
    const { type } = variable;
    this.#number = hasUnits(type) ? new NumberReader(variable, cut) : undefined;
    this.#time = isTimeType(type) ? new TimeReader(type, cut) : undefined;
    this.typeName =
      variable.size === undefined || variable.size === 8 ? variable.type : `${variable.type} of ${variable.size} bytes`;
    this.#shape = cut.escapes || cut.filters?.length || cut.maps?.length ? valueTransform(cut) : undefined;
    this.#isPlain = this.isPlainNumber && cut.blanks === undefined;
    const own = (cut.blanks ?? "").replaceAll(/[\\\]^-]/g, "\\$&");
    this.#blank = new RegExp(
      noBreakSpaces.includes(cut.thousands ?? "x")
        ? `(?:[^\\S${noBreakSpaces}]|[${own || " "}])+`
        : `[\\s\u200b${own}]+`,
    );
  }

  /** True when a plain number in the text is the value, unconverted. */
  get isPlainNumber(): boolean {
    const { unit, scale, length, decimal, thousands, prefixes } = this.#cut;
    const given = [unit, scale, this.#shape, length, decimal, thousands, prefixes];
    return this.#number !== undefined && given.every((each) => each === undefined);
  }

  /** True when an entry is the value, unchanged: a word. */
  get isWord(): boolean {
    return this.variable.type === "string" && this.#cut.length === undefined && this.#shape === undefined;
  }

  /** The reader of numbers in a unit; undefined when the description gives their unit or a factor. */
  withUnit(unit: Unit): ValueReader | undefined {
    const isGiven = this.#cut.unit !== undefined || this.#cut.scale !== undefined;
    return isGiven ? undefined : new ValueReader(this.variable, { ...this.#cut, unit });
  }

  /** Why the number that was read last is stored as another one. */
  get loss(): string | undefined {
    return this.#number?.loss;
  }

  get #isText(): boolean {
    return isTextType(this.variable);
  }

  /**
   * The value at the beginning of `rest`; undefined when there is none of the variable's type. `isEntry`: blanks
   * separate entries.
   */
  read(rest: string, isEntry = false): ReadValue {
    const lone = this.#isPlain ? loneNumber.exec(rest)?.[1] : undefined;
    if (lone !== undefined && lone.length <= longestWord) return this.#number?.readPlain(lone);
    if (!this.#shape)
      return this.#isText ? this.#readText(rest) : this.#readWords(this.#wordsOf(this.#limited(rest)), 1, isEntry);
    const part =
      this.#isText || this.#isLong
        ? this.#textOf(rest, this.#isLong ? 0 : undefined)
        : this.#wordsOf(this.#limited(rest))[0];
    return part === undefined ? undefined : this.#readShaped(part);
  }

  /** The value at the end of `text`, for `leads`. */
  readLast(text: string): ReadValue {
    const { length } = this.#cut;
    const whole = this.#number ? withoutTolerance(text) : text;
    const part = length === undefined ? whole : text.trimEnd().slice(length === 0 ? 0 : -length);
    if (this.#isText && (length !== undefined || this.variable.type === "text")) return this.readField(part);
    const words = part
      .slice(-longestWord)
      .split(this.#blank)
      .filter((word) => word !== "");
    if (this.#shape)
      return words.length === 0 ? undefined : this.#readShaped(words.slice(this.#isLong ? 0 : -1).join(" "));
    if (this.#isText) return words.at(-1);
    let problem: InvalidValue | undefined;
    for (let from = Math.max(0, words.length - mostWords); from < words.length; from++) {
      const value = this.#time
        ? this.#described(words.slice(from).join(" "), this.#time.readWhole(words.slice(from).join(" ")))
        : this.#readWords(words.slice(from), words.length - from);
      if (value instanceof PartialNumber || value instanceof UnfitNumber) return value;
      if (value !== undefined && !(value instanceof InvalidValue)) return value;
      problem = value ?? problem;
    }
    return problem;
  }

  /** The value of a delimited text: an entry between separators, a block, a part of a file name. */
  readField(text: string): ReadValue {
    const part = this.#limited(text).trim();
    if (this.#shape) return this.#readShaped(part);
    if (this.#isText) return part || undefined;
    return part !== "" && this.#time
      ? this.#described(part, this.#time.readWhole(part))
      : this.#readWords(this.#wordsOf(part));
  }

  /** True if the filters of the description leave nothing of an entry. */
  leavesNothing(text: string): boolean {
    return this.#shape?.(this.#limited(text).trim()).trim() === "";
  }

  /**
   * The first number anywhere in a text, for variables that are numbers; a unit of the variable's dimension after it is
   * converted, other text is ignored. For all others, the value of the complete text.
   */
  readInside(text: string): ReadValue {
    const found = this.#number ? extractNumber(text, this.#cut) : undefined;
    if (!this.#number || found === undefined) return this.readField(text);
    if (found instanceof InvalidValue) return new InvalidValue(`'${text.slice(0, 80)}': ${found.problem}`);
    return this.#number.readLoosely(found.digits, text.slice(found.end)) ?? this.#number.read([found.digits]);
  }

  #readShaped(part: string): ReadValue {
    const shaped = this.#shape?.(part) ?? part;
    // With escapes, blanks count, and a text may become empty.
    if (this.#cut.escapes && columnKind(this.variable.type) === "text")
      return part === "" ? undefined : this.#fitting(shaped);
    const text = shaped.trim();
    if (this.#isText) return text || undefined;
    return text !== "" && this.#time
      ? this.#described(text, this.#time.readWhole(text))
      : this.#readWords(this.#wordsOf(text));
  }

  /** True when values of this type may have several words. */
  get #isLong(): boolean {
    return !["string", "text", "integer", "float", "boolean", "version", "binary"].includes(this.variable.type);
  }

  #limited(text: string): string {
    const { length } = this.#cut;
    return length === undefined || length === 0 ? text : text.trimStart().slice(0, length);
  }

  #wordsOf(text: string): string[] {
    return (this.variable.type === "binary" ? text : text.slice(0, longestWord))
      .split(this.#blank)
      .filter((word) => word !== "");
  }

  /** `least`: the minimum number of words of the value. */
  #readWords(words: readonly string[], least = 1, isEntry = false): ReadValue {
    const [first] = words;
    if (first === undefined) return undefined;
    if (this.#number) return this.#number.read(words.slice(0, mostWords), least, isEntry);
    if (this.#time) {
      const text = words.slice(0, mostWords).join(" ");
      return this.#described(text, this.#time.read(text));
    }
    return least === 1 ? this.#fitting(first.replace(closing, "")) : undefined;
  }

  /** Adds the text to the problem of a time. */
  #described(text: string, value: number | InvalidValue): number | InvalidValue {
    return value instanceof InvalidValue
      ? new InvalidValue(`'${text.slice(0, 40)}' is no ${this.variable.type}: ${value.problem}`)
      : value;
  }

  /** The value of the complete text, without remainder. A unit may follow a number. */
  readComplete(text: string): PresentValue | undefined {
    const whole = this.#time?.readWhole(text);
    if (whole !== undefined) return whole instanceof InvalidValue ? undefined : whole;
    if (!this.#number) return this.#fitting(text);
    const [number = "", unit = "", more] = text.trim().split(/\s+/);
    const value = more === undefined ? this.#number.read([number + unit]) : undefined;
    return value instanceof InvalidValue ? undefined : value;
  }

  /** True when a word is of the variable's type; for texts: when it is not a number. */
  fits(word: string): boolean {
    if (this.#isText) return readFloat(word.slice(0, longestWord)) instanceof InvalidValue;
    const value = this.read(word);
    return value !== undefined && !(value instanceof InvalidValue);
  }

  #readText(rest: string): string | undefined {
    return this.#textOf(rest, this.variable.type === "text" ? 0 : undefined);
  }

  #textOf(rest: string, otherwise: number | undefined): string | undefined {
    const { length = otherwise } = this.#cut;
    if (length === undefined) return rest.split(this.#blank, 2).find((word) => word !== "");
    const text = rest.trimStart();
    return (length === 0 ? text : text.slice(0, length)).trimEnd() || undefined;
  }

  #fitting(text: string): PresentValue | undefined {
    const value = readValue(text, this.variable.type, this.variable.size);
    return value instanceof InvalidValue ? undefined : value;
  }
}
