import {
  InvalidValue,
  readFloat,
  conversion,
  convert,
  convertInteger,
  formatUnit,
  parseUnit,
  sameDimension,
  type Conversion,
  type Unit,
  readValue,
  type Value,
} from "../../../core/values/index.ts";
import { columnKind } from "../../../core/tables/index.ts";
import { hasUnits, type Variable } from "../../../core/variables/index.ts";
import { Failure, isFailure } from "../../../core/failures/index.ts";
import type { Cut } from "../../../formats/descriptions/index.ts";
import { valueTransform } from "./value-transform.ts";

export type PresentValue = Exclude<Value, null>;

/** A number that the variable cannot hold. Skipping it silently would falsify the input set. */
export class UnfitNumber extends InvalidValue {
  readonly #text: string;
  readonly #variable: Variable;

  constructor(text: string, variable: Variable, problem: string) {
    super(problem);
    this.#text = text.slice(0, 80);
    this.#variable = variable;
  }

  /** The failure `bad-content` at a line number or another location. */
  at(location: number | string): Failure {
    const { problem } = this;
    const text = this.#text;
    const { name, type } = this.#variable;
    return new Failure("bad-content", {
      value: text,
      variable: name,
      type,
      problem,
      location: typeof location === "number" ? `line ${location}` : location,
    });
  }
}

/** A number at the beginning of a word; a unit may follow it. */
const leadingNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/;
const opening = /^[([{<]+/;
const closing = /[,;)\]}>]+$/;

/** Maximum number of words of a date or duration: `Tue Nov 23 18:30:30 UTC 2004`. */
const mostWords = 6;
/** Maximum length in characters of numbers, dates and words. */
const longestWord = 500;

/** Reads the value of one variable from text at the position that the description selects. */
export class ValueReader {
  readonly variable: Variable;
  readonly #cut: Cut;
  readonly #blank: RegExp;
  readonly #target: Unit | undefined;
  readonly #factor: Conversion | undefined;
  /** Filters and maps; undefined when there are none. */
  readonly #shape: ((text: string) => string) | undefined;
  /** For messages: `float`, `integer of 2 bytes`. */
  readonly typeName: string;

  /** Fails with `unit-mismatch` when the input's unit cannot become the variable's. */
  constructor(variable: Variable, cut: Cut) {
    this.variable = variable;
    this.#cut = cut;
    this.#target = variable.unit;
    this.typeName =
      variable.size === undefined || variable.size === 8 ? variable.type : `${variable.type} of ${variable.size} bytes`;
    this.#factor = scaledBy(
      cut.unit === undefined || cut.unit === "text" ? undefined : conversion(cut.unit, variable.unit),
      cut.scale,
    );
    this.#shape = cut.escapes || cut.filters?.length || cut.maps?.length ? valueTransform(cut) : undefined;
    this.#blank = new RegExp(`[\\s${(cut.blanks ?? "").replaceAll(/[\\\]^-]/g, "\\$&")}]+`);
  }

  /** True when a plain number in the text is the value, unconverted. */
  get isPlainNumber(): boolean {
    const { unit, length } = this.#cut;
    return (
      hasUnits(this.variable.type) && [this.#factor, this.#shape, unit, length].every((each) => each === undefined)
    );
  }

  /** True when an entry is the value, unchanged: a word. */
  get isWord(): boolean {
    return this.variable.type === "string" && this.#cut.length === undefined && this.#shape === undefined;
  }

  get #isText(): boolean {
    return this.variable.type === "string" || this.variable.type === "text";
  }

  /** The value at the beginning of `rest`; undefined when there is none of the variable's type. */
  read(rest: string): PresentValue | UnfitNumber | undefined {
    if (!this.#shape) return this.#isText ? this.#readText(rest) : this.#readWords(this.#wordsOf(this.#limited(rest)));
    const part =
      this.#isText || this.#isLong
        ? this.#textOf(rest, this.#isLong ? 0 : undefined)
        : this.#wordsOf(this.#limited(rest))[0];
    return part === undefined ? undefined : this.#readShaped(part);
  }

  /** The value at the end of `text`, for `leads`. */
  readLast(text: string): PresentValue | UnfitNumber | undefined {
    const { length } = this.#cut;
    const part = length === undefined ? text : text.trimEnd().slice(length === 0 ? 0 : -length);
    if (this.#isText && (length !== undefined || this.variable.type === "text")) return this.readField(part);
    const words = part
      .slice(-longestWord)
      .split(this.#blank)
      .filter((word) => word !== "");
    if (this.#shape)
      return words.length === 0 ? undefined : this.#readShaped(words.slice(this.#isLong ? 0 : -1).join(" "));
    if (this.#isText) return words.at(-1);
    for (let from = Math.max(0, words.length - mostWords); from < words.length; from++) {
      const value = this.#readWords(words.slice(from), words.length - from);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The value of a delimited text: an entry between separators, a block, a part of a file name. */
  readField(text: string): PresentValue | UnfitNumber | undefined {
    const part = this.#limited(text).trim();
    if (this.#shape) return this.#readShaped(part);
    return this.#isText ? part || undefined : this.#readWords(this.#wordsOf(part));
  }

  #readShaped(part: string): PresentValue | UnfitNumber | undefined {
    const shaped = this.#shape?.(part) ?? part;
    // With escapes, blanks count, and a text may become empty.
    if (this.#cut.escapes && columnKind(this.variable.type) === "text")
      return part === "" ? undefined : this.#fitting(shaped);
    const text = shaped.trim();
    return this.#isText ? text || undefined : this.#readWords(this.#wordsOf(text));
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
  #readWords(words: readonly string[], least = 1): PresentValue | UnfitNumber | undefined {
    const { type } = this.variable;
    const [first, second] = words;
    if (first === undefined) return undefined;
    if (hasUnits(type))
      return least <= (this.#cut.unit === "text" ? 2 : 1) ? this.#readNumber(first, second) : undefined;
    if (!this.#isLong) return least === 1 ? this.#fitting(first.replace(closing, "")) : undefined;
    return this.#readLong(words.slice(0, mostWords), least);
  }

  /** The value of the complete text, without remainder. A unit may follow a number. */
  readComplete(text: string): PresentValue | undefined {
    if (!hasUnits(this.variable.type)) return this.#fitting(text);
    const [number = "", unit = "", more] = text.trim().split(/\s+/);
    const value = more === undefined ? this.#readNumber(number + unit, undefined) : undefined;
    return value instanceof UnfitNumber ? undefined : value;
  }

  /** True when a word is of the variable's type; for texts: when it is not a number. */
  fits(word: string): boolean {
    const { type } = this.variable;
    if (type === "string" || type === "text") return readFloat(word.slice(0, longestWord)) instanceof InvalidValue;
    const value = this.read(word);
    return value !== undefined && !(value instanceof UnfitNumber);
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

  /** Reads digits as the variable's type; UnfitNumber when the variable cannot hold the number. */
  #fittingNumber(digits: string): PresentValue | UnfitNumber | undefined {
    const { type, size } = this.variable;
    const value = readValue(digits, type, size);
    if (!(value instanceof InvalidValue)) return value;
    const isNumber = type === "integer" ? /^[+-]?\d+$/.test(digits) : leadingNumber.exec(digits)?.[0] === digits;
    return isNumber ? new UnfitNumber(digits, this.variable, value.problem) : undefined;
  }

  /** Reads the longest sequence of words that is a value. */
  #readLong(words: readonly string[], least: number): PresentValue | undefined {
    for (let count = words.length; count >= least; count--) {
      const text = words.slice(0, count).join(" ");
      const value = this.#fitting(text) ?? this.#fitting(text.replace(opening, "").replace(closing, ""));
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #readNumber(first: string, second: string | undefined): PresentValue | UnfitNumber | undefined {
    const word = first.replace(opening, "").replace(closing, "");
    const digits = leadingNumber.exec(word)?.[0] ?? word;
    const suffix = word.slice(digits.length);
    if (suffix === "" && this.#cut.unit !== "text") return this.#scaled(digits, this.#factor, this.#cut.unit);
    const unit = unitOf(suffix === "" ? (second ?? "").replace(closing, "") : suffix);
    if (!unit || !this.#target || !sameDimension(unit, this.#target)) return undefined;
    return this.#scaled(digits, scaledBy(conversion(unit, this.#target), this.#cut.scale), unit);
  }

  #scaled(digits: string, factor: Conversion | undefined, unit: Cut["unit"]): PresentValue | UnfitNumber | undefined {
    if (!factor || (factor.times === 1 && factor.over === 1)) return this.#fittingNumber(digits);
    const value = readFloat(digits);
    if (value instanceof InvalidValue) return undefined;
    const written = `${digits} ${unit === "text" ? "" : formatUnit(unit)}`.trim();
    if (this.variable.type === "integer")
      return Number.isFinite(value) ? this.#scaledInteger(written, value, factor) : undefined;
    const converted = convert(value, factor);
    if (Number.isFinite(converted) || !Number.isFinite(value)) return converted;
    return new UnfitNumber(
      written,
      this.variable,
      `in ${formatUnit(this.variable.unit)} it exceeds the range of a float`,
    );
  }

  #scaledInteger(written: string, value: number, factor: Conversion): PresentValue | UnfitNumber {
    const integer = convertInteger(value, factor);
    const [unit, { size = 8 }] = [formatUnit(this.variable.unit), this.variable];
    if (integer === undefined) return new UnfitNumber(written, this.variable, `it is not an integer number of ${unit}`);
    const converted = Number.isSafeInteger(integer) ? this.#fitting(String(integer)) : undefined;
    return (
      converted ??
      new UnfitNumber(
        written,
        this.variable,
        `in ${unit} it ${size === 8 ? "is beyond 2^53" : `does not fit into ${size} bytes`}`,
      )
    );
  }
}

function scaledBy(factor: Conversion | undefined, scale: number | undefined): Conversion | undefined {
  return scale === undefined ? factor : { times: (factor?.times ?? 1) * scale, over: factor?.over ?? 1 };
}

function unitOf(text: string): Unit | undefined {
  if (text === "") return undefined;
  try {
    return parseUnit(text);
  } catch (error) {
    if (isFailure(error, "unknown-unit")) return undefined;
    throw error;
  }
}
