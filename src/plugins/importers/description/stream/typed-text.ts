import { Failure } from "../../../../core/failures/index.ts";
import { InvalidValue, lossOf, parseValue, readFloat, readValue, type Unit } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { ValueReader, UnfitNumber, type PresentValue, type ReadValue } from "../value-reader.ts";
import { extractNumber } from "../extract-number.ts";
import { checkNotation } from "../values/notation-check.ts";
import { doubtAround } from "../values/number-doubts.ts";
import { NumberReader } from "../values/number-reader.ts";
import { isTimeType, TimeReader } from "../values/time-reader.ts";
import { extentOf, type Extent } from "../values/value-extent.ts";
import { valueTransform } from "../value-transform.ts";

/** A text of nothing but a number in the usual notation, which most marks have next to them. */
const loneNumber = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const floatParts = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;
/** Maximum length in characters of a number. */
const longestNumber = 500;

/** Converts texts that locations find to values of a variable. */
export class TypedText {
  readonly variable: Variable;
  readonly extent: Extent | undefined;
  /** Why the number that was read last may be another one. */
  doubt: string | undefined;
  readonly #cut: Cut;
  readonly #shape: (text: string) => string;
  readonly #units: ValueReader | undefined;
  readonly #numbers: NumberReader | undefined;
  readonly #times: TimeReader | undefined;
  /** Numbers are read without conversion and in their usual notation. */
  readonly #isPlain: boolean;

  /** Fails with `unit-mismatch` when the input's unit cannot become the variable's, and with `notation-mismatch`. */
  constructor(variable: Variable, cut: Cut) {
    const { filters: _filters, maps: _maps, escapes: _escapes, length: _length, scale: _scale, ...plain } = cut;
    const { type } = variable;
    checkNotation(variable, cut);
    this.variable = variable;
    this.extent = extentOf(variable, cut);
    this.#cut = cut;
    this.#shape = valueTransform(cut);
    this.#units = cut.unit === undefined ? undefined : new ValueReader(variable, plain);
    this.#numbers = hasUnits(type) ? new NumberReader(variable, plain) : undefined;
    this.#times = isTimeType(type) ? new TimeReader(type, cut) : undefined;
    this.#isPlain = this.isPlainNumber;
  }

  /** The same conversion for input in another unit; undefined: the description gives the unit or a factor. */
  withUnit(unit: Unit): TypedText | undefined {
    const isGiven = this.#cut.unit !== undefined || this.#cut.scale !== undefined;
    return isGiven ? undefined : new TypedText(this.variable, { ...this.#cut, unit });
  }

  /** True when a plain number in the input is the value, unconverted. */
  get isPlainNumber(): boolean {
    const { scale, decimal, thousands, prefixes, filters = [], maps = [] } = this.#cut;
    const given = [this.#units, scale, decimal, thousands, prefixes];
    return (
      hasUnits(this.variable.type) &&
      given.every((each) => each === undefined) &&
      filters.length === 0 &&
      maps.length === 0
    );
  }

  /**
   * Returns undefined when the text has no value. Fails with `bad-content` when the value does not fit the variable.
   */
  read(text: string, line: number): PresentValue | undefined {
    return this.#parse(this.#shape(text), line);
  }

  /** Converts a computed number. Fails with `bad-content`. */
  fit(value: number, line: number): PresentValue {
    const { type } = this.variable;
    if (type === "integer") return this.#integer(value, line);
    return type === "float" ? value : parseValue(String(value), this.variable, `line ${line}`);
  }

  #parse(text: string, line: number): PresentValue | undefined {
    this.doubt = undefined;
    if (text === "") return undefined;
    if (this.#isPlain && text.length <= longestNumber && loneNumber.test(text)) return this.#digits(text, line);
    if (this.#units) return this.#withUnit(text, line);
    if (this.#numbers) return this.#number(this.#numbers, text, line);
    if (this.variable.type === "string" || this.variable.type === "text") return this.#text(text, line);
    if (this.#times) return this.#valid(this.#times.readWhole(text), text, line);
    const value = parseTolerantly(text, this.variable.type);
    return value instanceof InvalidValue ? parseValue(text, this.variable, `line ${line}`) : value;
  }

  #withUnit(text: string, line: number): PresentValue | undefined {
    const value = this.#valid(this.#units?.read(text), text, line);
    return typeof value === "number" && this.#cut.scale !== undefined ? this.#scaled(value, line) : value;
  }

  #valid(value: ReadValue, text: string, line: number): PresentValue | undefined {
    if (value instanceof UnfitNumber) throw value.at(line);
    if (!(value instanceof InvalidValue)) return value;
    throw this.#unreadable(text, value.problem, line);
  }

  #number(numbers: NumberReader, text: string, line: number): PresentValue | undefined {
    const found = extractNumber(text, this.#cut);
    if (found === undefined) return undefined;
    if (found instanceof InvalidValue) throw this.#unreadable(text, found.problem, line);
    const { digits, start, end } = found;
    this.doubt = doubtAround(text, start, end);
    if (this.#cut.scale !== undefined) return this.#scaled(this.#float(digits, line), line);
    const converted = this.#valid(numbers.readLoosely(digits, text.slice(end), true), text, line);
    if (converted !== undefined) this.doubt ??= numbers.loss;
    return converted === undefined ? this.#digits(digits, line) : converted;
  }

  #float(digits: string, line: number): number {
    const value = readFloat(digits);
    if (value instanceof InvalidValue) throw this.#unreadable(digits, value.problem, line);
    this.doubt ??= lossOf(digits, value);
    return value;
  }

  #digits(digits: string, line: number): PresentValue {
    const { type, size } = this.variable;
    const value = readValue(digits, type, size);
    if (typeof value === "number") this.doubt ??= lossOf(digits, value);
    if (!(value instanceof InvalidValue)) return value;
    return parseValue(type === "integer" ? wholeDigits(digits) : digits, this.variable, `line ${line}`);
  }

  #scaled(value: number, line: number): PresentValue {
    const scaled = value * (this.#cut.scale ?? 1);
    return this.fit(this.variable.type === "integer" ? Math.trunc(scaled) : scaled, line);
  }

  /** Integers may be written as floats (`3.0`, `1e3`). */
  #integer(value: number, line: number): PresentValue {
    const spelt = Number.isSafeInteger(value) ? String(value + 0) : String(value);
    return parseValue(spelt, this.variable, `line ${line}`);
  }

  #text(text: string, line: number): string {
    const { longest } = this.variable;
    if (longest === undefined || text.length <= longest) return text;
    throw this.#unreadable(text, `it has ${text.length} characters, more than ${longest}`, line);
  }

  #unreadable(text: string, problem: string, line: number): Failure {
    const { name, type } = this.variable;
    const value = text.slice(0, 80);
    return new Failure("bad-content", { value, variable: name, type, problem, location: `line ${line}` });
  }
}

/** Integers may be written as floats (`3.0`, `1e3`); other numbers are returned as they are. */
function wholeDigits(digits: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] = floatParts.exec(digits) ?? [];
  const shift = Number(power) - fraction.length;
  const all = whole + fraction;
  if (Math.abs(shift) > longestNumber) return digits;
  const end = all.length + Math.min(0, shift);
  if (/[1-9]/.test(all.slice(Math.max(0, end)))) return digits;
  return `${sign}${all.slice(0, Math.max(0, end)) || "0"}${"0".repeat(Math.max(0, shift))}`;
}

/** Accepts what databases accept: a version of several words (`1.0.3 a`). */
function parseTolerantly(text: string, type: Variable["type"]): PresentValue | InvalidValue {
  if (text.length > 100) return new InvalidValue("it is too long");
  return readValue(type === "version" ? text.replaceAll(/\s+/g, "-") : text, type);
}
