import {
  conversion,
  convert,
  convertInteger,
  formatUnit,
  InvalidValue,
  lossOf,
  numberScanner,
  readFloat,
  readValue,
  sameDimension,
  type Conversion,
  type Unit,
} from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { boundSign, kindOf, partialNumber } from "./number-doubts.ts";
import {
  afterTolerance,
  isLooseBinary,
  prefixedUnit,
  toleranceLength,
  unitOf,
  unitWord,
  type WrittenUnit,
} from "./unit-words.ts";
import { PartialNumber, UnfitNumber } from "./unfit-number.ts";

export type NumberResult = number | bigint | InvalidValue | undefined;

/** Brackets, the signs `:` and `|` between entries, emphasis of Markdown and marks of footnotes, around a word. */
const opening = /^[([{<|*`]+/;
const closing = /[,;:|)\]}>.*`\u2020\u2021]+$/;
/** What may stand between a number and its unit. */
const onlyMarks = /^[)\]}>*`"'\u2020\u2021]*$/;
/** Characters in which the unit after a number is searched. */
const longestUnit = 200;
/** A word after a number that names the next one: `0.05 MiB: 256`. */
const namesNext = /^\s+[A-Za-z\u00b5\u03bc%/]{1,40}\s?[:=]\s*[-+.]?\d/;
/** The sign of a bound or an estimate before a number, perhaps in brackets. */
const signed = /^[([{|*`]*[<>\u2264\u2265\u2272\u2273~\u223c\u2248\u2243\u2245]=?\s?(?=[+-]?\.?\d)/;

/** A word without the brackets and signs around it. */
export function bareWord(word: string): string {
  return word.replace(opening, "").replace(closing, "");
}

/** A number without separators or exponents of Fortran, as `readFloat` reads it. */
const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number with the word after it. */
interface Written {
  readonly digits: string;
  /** Directly after the number, without closing punctuation. */
  readonly suffix: string;
  /** The words after the number and its suffix. */
  readonly next: readonly string[];
  /** Number of words of the number with its tolerance and suffix. */
  readonly words: number;
  /** All that follows the number and its tolerance. */
  readonly after: string;
}

/** Reads numbers with units from words, and converts them to the unit of their variable. */
export class NumberReader {
  /** Why the number that was read last is stored as another one. */
  loss: string | undefined;
  readonly #variable: Variable;
  readonly #cut: Cut;
  readonly #factor: Conversion | undefined;
  readonly #scan: ReturnType<typeof numberScanner>;
  /** The factors of units after numbers. */
  readonly #factors = new WeakMap<Unit, Conversion>();

  /** Fails with `unit-mismatch` when the input's unit cannot become the variable's. */
  constructor(variable: Variable, cut: Cut) {
    this.#variable = variable;
    this.#cut = cut;
    this.#factor = scaledBy(
      cut.unit === undefined || cut.unit === "text" ? undefined : conversion(cut.unit, variable.unit),
      cut.scale,
    );
    this.#scan = numberScanner(cut);
  }

  /**
   * The number at the first of the words; undefined without one. A suffix has to be a unit that converts. A word after
   * the number is converted as `unitWord` says. `least`: the minimum number of words of the value; `isEntry`: blanks
   * separate entries.
   */
  read(words: readonly string[], least = 1, isEntry = false): NumberResult {
    const written = this.#split(words);
    if (!written) return bound(words);
    const { digits, suffix, next, after } = written;
    const doubt = partialNumber(digits, after, this.#variable.unit, this.#cut, isEntry);
    if (doubt) return doubt;
    if (suffix !== "") return written.words < least ? undefined : this.#withSuffix(digits, suffix);
    if (this.#cut.unit === "text") return written.words + 1 < least ? undefined : this.#withRequiredUnit(digits, next);
    const unit = this.#unitAfter(digits, next, after);
    if (unit instanceof InvalidValue) return unit;
    if (written.words + (unit ? (unit.words ?? 1) : 0) < least) return undefined;
    return unit ? this.#written(digits, unit) : this.#scaled(digits, this.#factor, this.#cut.unit);
  }

  /** Digits in the usual notation that no unit follows, if they need no conversion. */
  readPlain(digits: string): NumberResult {
    return this.#fitting(digits);
  }

  /** The unit in the words after a number; `after`: the whole text. */
  #unitAfter(digits: string, next: readonly string[], after: string): WrittenUnit | InvalidValue | undefined {
    // A factor states the unit of the input.
    if (this.#cut.scale !== undefined) return undefined;
    const unit = unitWord(digits, next, this.#variable.unit, this.#cut);
    return unit instanceof InvalidValue && namesNext.test(after) ? undefined : unit;
  }

  /**
   * Converts digits if a unit of the variable's dimension follows them in `after`; ignores any other text. With
   * `isTolerant`, `MByte` for a variable in MiByte is such a text, since programs print it for 1024-based units.
   */
  readLoosely(digits: string, after: string, isTolerant = false): NumberResult {
    const { unit: target } = this.#variable;
    const doubt = partialNumber(digits, after, target, this.#cut, false);
    if (doubt) return doubt;
    const rest = afterTolerance(after, target);
    const [word = "", ...words] = rest.trimStart().split(/\s+/, 3);
    const first = bareWord(word);
    if (target === undefined && this.#cut.scale === undefined && /^\w/.test(rest)) {
      const prefixed = prefixedUnit(digits, first, target, this.#cut);
      if (prefixed) return prefixed instanceof InvalidValue ? prefixed : this.#written(digits, prefixed);
    }
    const unit = this.#unitAfter(digits, [first, ...words], rest);
    if (unit instanceof InvalidValue) return unit;
    if (isTolerant && unit?.unit && isLooseBinary(unit.unit, this.#variable.unit)) return undefined;
    return unit ? this.#written(digits, unit) : undefined;
  }

  /** undefined: the first word is no number. */
  #split(words: readonly string[]): Written | undefined {
    const [first = "", ...more] = words;
    const opened = first.replace(opening, "");
    const bare = opened.charCodeAt(0) === 0x2212 ? opened.replace(/^\u2212(?=\.?\d)/, "-") : opened;
    const joined = more.length === 0 ? bare : `${bare} ${more.join(" ")}`;
    const found = this.#scan(joined) ?? specialNumber(joined);
    if (!found || (bare !== first && bound(words))) return undefined;
    const { digits } = found;
    const tolerance = toleranceLength(joined.slice(found.end), this.#variable.unit);
    const after = joined.slice(found.end + tolerance);
    const blank = after.indexOf(" ");
    const attached = blank < 0 ? after : after.slice(0, blank);
    const isOver = blank < 0 || (!onlyMarks.test(attached) && this.#cut.unit !== "text");
    const next = isOver
      ? []
      : after
          .slice(blank + 1, blank + longestUnit)
          .split(" ", 3)
          .map(bareWord);
    const written = joined.slice(0, found.end + tolerance);
    const count = written.includes(" ") ? written.split(" ").length : 1;
    return { digits, suffix: attached === "" ? "" : attached.replace(closing, ""), next, words: count, after };
  }

  #withSuffix(digits: string, suffix: string): NumberResult {
    const { unit: target } = this.#variable;
    const unit = unitOf(suffix);
    if (unit && target && sameDimension(unit, target)) return this.#converted(digits, unit);
    const prefixed = prefixedUnit(digits, suffix, target, this.#cut);
    return prefixed instanceof InvalidValue || prefixed === undefined ? prefixed : this.#written(digits, prefixed);
  }

  #written(digits: string, { unit, times }: WrittenUnit): NumberResult {
    return unit ? this.#converted(digits, unit) : this.#scaled(digits, scaledBy(this.#factor, times), this.#cut.unit);
  }

  #withRequiredUnit(digits: string, [word = ""]: readonly string[]): NumberResult {
    const unit = unitOf(word);
    const { unit: target } = this.#variable;
    return unit && target && sameDimension(unit, target) ? this.#converted(digits, unit) : undefined;
  }

  #converted(digits: string, unit: Unit): NumberResult {
    const factor = this.#factors.get(unit) ?? scaledBy(conversion(unit, this.#variable.unit), this.#cut.scale);
    if (factor) this.#factors.set(unit, factor);
    return this.#scaled(digits, factor, unit);
  }

  /** Reads digits as the variable's type; UnfitNumber when the variable cannot hold the number. */
  #fitting(digits: string): NumberResult {
    const { type, size } = this.#variable;
    const value = readValue(digits, type, size);
    this.loss = typeof value === "number" ? lossOf(digits, value) : undefined;
    if (typeof value === "number" || typeof value === "bigint") return value;
    if (!(value instanceof InvalidValue)) return undefined;
    const isNumber = type === "integer" ? /^[+-]?\d+$/.test(digits) : plainNumber.test(digits);
    return isNumber ? new UnfitNumber(digits, this.#variable, value.problem) : undefined;
  }

  #scaled(digits: string, factor: Conversion | undefined, unit: Cut["unit"]): NumberResult {
    if (!factor || (factor.times === 1 && factor.over === 1)) return this.#fitting(digits);
    if (this.#variable.type !== "integer") {
      const exact = shifted(digits, factor);
      if (exact !== undefined) return this.#noted(digits, exact);
    }
    const value = readFloat(digits);
    if (value instanceof InvalidValue)
      return plainNumber.test(digits) ? new UnfitNumber(digits, this.#variable, value.problem) : undefined;
    const converted = this.#variable.type === "integer" ? undefined : convert(value, factor);
    if (converted !== undefined && (Number.isFinite(converted) || !Number.isFinite(value)))
      return this.#noted(digits, converted);
    const written = `${digits} ${unit === "text" ? "" : formatUnit(unit)}`.trim();
    if (converted === undefined)
      return Number.isFinite(value) ? this.#scaledInteger(written, value, factor) : undefined;
    return new UnfitNumber(
      written,
      this.#variable,
      `in ${formatUnit(this.#variable.unit)} it exceeds the range of a float`,
    );
  }

  /** In another unit, a number is rounded like every fraction. */
  #noted(digits: string, value: number): number {
    this.loss = value === 0 ? lossOf(digits, 0) : undefined;
    return value;
  }

  #scaledInteger(written: string, value: number, factor: Conversion): NumberResult {
    const integer = convertInteger(value, factor);
    const [unit, { size = 8 }] = [formatUnit(this.#variable.unit), this.#variable];
    if (integer === undefined)
      return new UnfitNumber(written, this.#variable, `it is not an integer number${unit ? ` of ${unit}` : ""}`);
    const converted = Number.isSafeInteger(integer) ? readValue(String(integer), "integer", size) : undefined;
    if (typeof converted === "number") return converted;
    const problem = size === 8 ? "is beyond 2^53" : `does not fit into ${size} bytes`;
    return new UnfitNumber(written, this.#variable, `${unit ? `in ${unit} ` : ""}it ${problem}`);
  }
}

/** A number with a sign before it is no value, and may be stored without the sign. */
function bound(words: readonly string[]): PartialNumber | undefined {
  const joined = words.slice(0, 3).join(" ").slice(0, 80);
  const start = signed.exec(joined)?.[0].length;
  const sign = start === undefined ? undefined : boundSign(joined, start)?.trim();
  if (sign === undefined) return undefined;
  return new PartialNumber(
    `'${joined
      .split(" ", sign === words[0] ? 2 : 1)
      .join(" ")
      .slice(0, 40)}' is ${kindOf(sign)} (filter="${sign}" removes its sign)`,
  );
}

function specialNumber(text: string): { digits: string; end: number } | undefined {
  const digits = /^[+-]?(?:nan|infinity|inf)(?![A-Za-z])/i.exec(text)?.[0];
  return digits === undefined ? undefined : { digits, end: digits.length };
}

/** The exponents by which a factor of a power of ten shifts a number. */
const exponents = new Map(Array.from({ length: 19 }, (_, power) => [10 ** power, power]));

/** The number in a unit that is larger or smaller by a power of ten, exactly: 9.7 ms are 0.0097 s. */
function shifted(digits: string, { times, over }: Conversion): number | undefined {
  const power = over === 1 ? exponents.get(times) : times === 1 ? exponents.get(over) : undefined;
  if (power === undefined) return undefined;
  const shift = over === 1 ? power : -power;
  const at = digits.search(/[eE]/);
  const value =
    at < 0 ? Number(`${digits}e${shift}`) : Number(`${digits.slice(0, at)}e${Number(digits.slice(at + 1)) + shift}`);
  return Number.isFinite(value) ? value : undefined;
}

function scaledBy(factor: Conversion | undefined, scale: number | undefined): Conversion | undefined {
  return scale === undefined ? factor : { times: (factor?.times ?? 1) * scale, over: factor?.over ?? 1 };
}
