import {
  baseOf,
  formatUnit,
  InvalidValue,
  parseUnit,
  prefixNamed,
  sameDimension,
  type Unit,
  type UnitFactor,
} from "../../../../core/values/index.ts";
import { isFailure } from "../../../../core/failures/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";

const barePrefix = /^[kKMGTP]i?$/;
/** `Mb/s`, `frames/sec`: a rate of something unknown. */
const rate = /^[A-Za-z\u00b5]+\/(?:s|secs?|seconds?|ms|us|ns|min|h|hours?)$/;
/** `Mb`: bits or bytes. */
const ambiguousBits = /^[KMGTPkm]i?b(?:\/.*)?$/;
/** Base units whose words are seldom anything else. */
const certain = ["s", "Byte", "bit", "Hz", "%", "ppm", "$", "EUR"];
/** Base units of time that take no prefix: `Pa` is a pressure. */
const unprefixed = ["min", "h", "d", "a"];

/** The unit that a text spells; undefined if it is none. */
export function unitOf(text: string): Unit | undefined {
  if (text === "") return undefined;
  try {
    return parseUnit(text);
  } catch (error) {
    if (isFailure(error, "unknown-unit")) return undefined;
    throw error;
  }
}

/**
 * The unit in brackets at the end of a heading (`t[usec]`, `rate (MB/s)`), or a heading that is a rate (`MB/s`), if it
 * has the variable's dimension.
 */
export function unitInHeading(heading: string, target: Unit | undefined): Unit | undefined {
  const bracketed = /[[(]([^[\]()]*)[\])]$/.exec(heading.trim())?.[1];
  const unit = target && unitOf(bracketed ?? heading.trim());
  if (!unit || !sameDimension(unit, target)) return undefined;
  return bracketed !== undefined || unit.factors.length > 1 ? unit : undefined;
}

/** True for a decimal prefix where the target has the binary one: `MByte/s` for MiByte/s. */
export function isLooseBinary({ factors }: Unit, target: Unit | undefined): boolean {
  const loose = target?.factors.map((factor) => ({ ...factor, prefix: factor.prefix.replace(/i$/, "") })) ?? [];
  const key = (each: readonly UnitFactor[]): string => JSON.stringify(each.map((f) => [f.base, f.prefix, f.exponent]));
  return key(loose) === key(factors) && key(factors) !== key(target?.factors ?? []);
}

/** The unit of a number, or only the factor of its prefix. */
export interface WrittenUnit {
  /** undefined: the unit that a number without a unit has. */
  readonly unit?: Unit;
  readonly times: number;
}

/**
 * The unit in the words after a number: a word that is a unit of the variable's dimension. Words that are clearly
 * another unit (`ms` after a bandwidth, `Mb/s`) make the number invalid; any other word is not a part of the value. The
 * word `a` is a year, and `min` a minute, only at the end of a text.
 */
export function unitWord(
  digits: string,
  [word = "", after = ""]: readonly string[],
  target: Unit | undefined,
  cut: Pick<Cut, "prefixes" | "unit">,
): WrittenUnit | InvalidValue | undefined {
  const refused = (problem: string): InvalidValue => new InvalidValue(`'${digits} ${word.slice(0, 40)}': ${problem}`);
  if (!/^[A-Za-z\u00b5\u03bc%$1(]/.test(word) || (word === "a" && after !== "")) return undefined;
  const unit = unitOf(word);
  if (unit && target && sameDimension(unit, target)) {
    if (word === "min" && after !== "") return refused("'min' may be a minute or a minimum; give unit=");
    const isOdd = unit.factors.some(({ base, prefix }) => prefix !== "" && unprefixed.includes(base));
    return isOdd ? refused(`'${word}' is an uncommon unit; give unit=`) : { unit, times: 1 };
  }
  const isPrefix = barePrefix.test(word);
  if (isPrefix && (target || cut.prefixes))
    return prefixedUnit(digits, word, target, cut) ?? refused(`'${word}' does not convert to ${formatUnit(target)}`);
  if (!target) return undefined;
  const isForeign = unit ? isCertain(unit, word) : rate.test(word) || ambiguousBits.test(word);
  return isForeign ? refused(`'${word.slice(0, 40)}' does not convert to ${formatUnit(target)}`) : undefined;
}

function isCertain({ factors }: Unit, word: string): boolean {
  if (factors.length > 1) return true;
  return word !== "B" && factors.some(({ base }) => certain.includes(base));
}

/**
 * What `k`, `M`, `G`, `T`, `P` or `Ki` after a number means: the variable's unit with that prefix instead of its own.
 * For bytes, bits and plain numbers, `k` may be 1000 or 1024: without the descriptor `prefixes` the number is invalid.
 * undefined: the text is no such prefix, or the unit takes none.
 */
export function prefixedUnit(
  digits: string,
  text: string,
  target: Unit | undefined,
  { prefixes, unit: given }: Pick<Cut, "prefixes" | "unit">,
): WrittenUnit | InvalidValue | undefined {
  if (!barePrefix.test(text)) return undefined;
  const unit = given === undefined || given === "text" ? target : given;
  const [first, ...others] = unit?.factors ?? [];
  const isBits = (unit?.factors ?? []).some(({ base }) => Object.hasOwn(baseOf(base).dimension, "bit"));
  if (first?.exponent === 1 && !isBits && baseOf(first.base).display !== "decimal") return undefined;
  const isBinary = text.endsWith("i");
  if (!isBinary && prefixes === undefined && (isBits || first === undefined))
    return new InvalidValue(`'${digits}${text}': ${text} is 1000-based or 1024-based; give prefixes=decimal or binary`);
  const prefix = prefixNamed(`${text.charAt(0).toUpperCase()}${isBinary || prefixes === "binary" ? "i" : ""}`);
  if (!prefix) return undefined;
  if (first?.exponent !== 1) return { times: prefix.times };
  return { unit: { factors: [{ ...first, prefix: prefix.name }, ...others] }, times: 1 };
}
