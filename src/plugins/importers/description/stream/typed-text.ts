import { Failure } from "../../../../core/failures/index.ts";
import { InvalidValue, readDate, readTimestamp, parseValue, readValue } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { ValueReader, UnfitNumber, type PresentValue } from "../value-reader.ts";
import { extractNumber } from "../extract-number.ts";
import { valueTransform } from "../value-transform.ts";

const secondsPerDay = 86_400;

/** Converts texts that locations find to values of a variable. */
export class TypedText {
  readonly variable: Variable;
  readonly #cut: Cut;
  readonly #shape: (text: string) => string;
  readonly #units: ValueReader | undefined;

  /** Fails with `unit-mismatch` when the input's unit cannot become the variable's. */
  constructor(variable: Variable, cut: Cut) {
    this.variable = variable;
    this.#cut = cut;
    this.#shape = valueTransform(cut);
    this.#units = cut.unit === undefined ? undefined : new ValueReader(variable, { unit: cut.unit });
  }

  /** True when a plain number in the input is the value, unconverted. */
  get isPlainNumber(): boolean {
    const { scale, filters = [], maps = [] } = this.#cut;
    return (
      hasUnits(this.variable.type) && !this.#units && scale === undefined && filters.length === 0 && maps.length === 0
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
    if (text === "") return undefined;
    if (this.#units) return this.#withUnit(this.#units.read(text), line);
    if (hasUnits(this.variable.type)) return this.#number(text, line);
    if (this.variable.type === "string" || this.variable.type === "text") return this.#text(text, line);
    const value = parseTolerantly(text, this.variable.type);
    return value instanceof InvalidValue ? parseValue(text, this.variable, `line ${line}`) : value;
  }

  #withUnit(value: PresentValue | UnfitNumber | undefined, line: number): PresentValue | undefined {
    if (value instanceof UnfitNumber) throw value.at(line);
    return typeof value === "number" && this.#cut.scale !== undefined ? this.#scaled(value, line) : value;
  }

  #number(text: string, line: number): PresentValue | undefined {
    const digits = extractNumber(text);
    if (digits === undefined) return undefined;
    if (this.#cut.scale !== undefined) return this.#scaled(Number(digits), line);
    const value = readValue(digits, this.variable.type, this.variable.size);
    return value instanceof InvalidValue ? this.fit(Number(digits), line) : value;
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
    const { name, type, longest } = this.variable;
    if (longest === undefined || text.length <= longest) return text;
    const problem = `it has ${text.length} characters, more than ${longest}`;
    throw new Failure("bad-content", {
      value: text.slice(0, 80),
      variable: name,
      type,
      problem,
      location: `line ${line}`,
    });
  }
}

/** Accepts what databases accept: a timestamp as a date, and a version of several words (`1.0.3 a`). */
function parseTolerantly(text: string, type: Variable["type"]): PresentValue | InvalidValue {
  if (text.length > 100) return new InvalidValue("it is too long");
  const value = readValue(type === "version" ? text.replaceAll(/\s+/g, "-") : text, type);
  if (!(value instanceof InvalidValue) || type !== "date") return value;
  const date = readDate(text.replace(/^[A-Za-z]{3},? /, ""));
  if (!(date instanceof InvalidValue)) return date;
  const stamp = readTimestamp(text.replace(/ [A-Z]{3,4} (?=\d{4}$)/, " "));
  return stamp instanceof InvalidValue ? stamp : Math.floor(stamp / 1_000_000 / secondsPerDay);
}
