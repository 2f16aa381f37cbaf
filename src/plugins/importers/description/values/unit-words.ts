import {
  baseOf,
  formatUnit,
  InvalidValue,
  findUnit,
  prefixNamed,
  sameDimension,
  type Unit,
  type UnitFactor,
} from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";

/** `k`, `Mi`: a prefix without a unit. */
export const barePrefix = /^[kKMGTP]i?$/;
/** `Mb/s`, `frames/sec`: a rate of something unknown. */
const rate = /^[A-Za-z\u00b5]+\/(?:s|secs?|seconds?|ms|us|ns|min|h|hours?)$/i;
/** `Mb`: bits or bytes. */
const ambiguousBits = /^[KMGTPkm]i?b(?:\/.*)?$/;
/** Prefixes that no unit takes here. */
const unknownPrefix = /^[EZY]i?(?:B|Bytes?|bits?|Hz|FLOPS?|FlOP)(?:\/.*)?$/;
/** Base units whose words are seldom anything else. */
const certain = ["s", "Byte", "bit", "Hz", "%", "ppm", "$", "EUR"];
/** Base units of time that take no prefix: `Pa` is a pressure. */
const unprefixed = ["min", "h", "d", "a"];

/** The words after numbers are mostly the same ones. */
const knownUnits = new Map<string, Unit | undefined>();
const mostKnown = 1000;
const longestKnown = 24;

/** The unit that a text spells; undefined if it is none. */
export function unitOf(text: string): Unit | undefined {
  if (text === "") return undefined;
  const known = knownUnits.get(text);
  if (known || knownUnits.has(text)) return known;
  const unit = findUnit(text);
  if (knownUnits.size < mostKnown && text.length <= longestKnown) knownUnits.set(text, unit);
  return unit;
}

/** The last word of a heading; `min` is mostly a minimum, and other single letters name something else. */
const lastWord = /[A-Za-z\d][_\s.-]\s*((?!min$)[A-Za-z\u00b5\u03bc][A-Za-z\u00b5\u03bc/]+|s)$/;

/**
 * The unit at the end of a heading, in brackets or as its last word (`t[usec]`, `rate (MB/s)`, `t_ms`, `Time us`), or a
 * heading that is a rate (`MB/s`), if it has the variable's dimension.
 */
export function unitInHeading(heading: string, target: Unit | undefined): Unit | undefined {
  const bracketed = /[[(]([^[\]()]*)[\])]$/.exec(heading.trim())?.[1];
  const last = bracketed ?? lastWord.exec(heading.trim())?.[1];
  const units = [last, heading.trim()].map((text) => (text === undefined ? undefined : unitOf(text)));
  const unit = target && units.find((each) => each && sameDimension(each, target));
  return unit && (unit === units[0] || unit.factors.length > 1) ? unit : undefined;
}

const amount = String.raw`(?:\d[\d.,]*|\.\d+)(?:[eE][+-]?\d+)?`;
const signedTolerance = new RegExp(String.raw`^\s*\(?\s*(?:\u00b1|\+/?[-\u2212]|-\+)\s*${amount}(?:\s*\))?`);
const unitText = String.raw`[A-Za-z\u00b5\u03bc%][\w\u00b5\u03bc/%]*`;
const bracketedTolerance = new RegExp(String.raw`^\s*\(\s*${amount}\s*\)(?=\s*(${unitText}))`);
const toleranceAtEnd = new RegExp(
  String.raw`(\d\s*${unitText})\s*\(?\s*(?:\u00b1|\+/?[-\u2212])\s*${amount}\s*(?:${unitText})?\s*\)?\s*$`,
);
const percentage = /^\s*%\)?/;

/**
 * The length of the tolerance after a number, whose unit may follow it: ` +- 1` in `5 +- 1 ms`, `(1) ` in `5 (1) ms`,
 * ` ± 2 %`; 0: there is none.
 */
export function toleranceLength(after: string, target: Unit | undefined): number {
  const sign = firstSign(after);
  if (sign !== 40 && sign !== 43 && sign !== 45 && sign !== 0xb1) return 0;
  const near = after.slice(0, 80);
  const signed = signedTolerance.exec(near)?.[0];
  if (signed !== undefined) {
    const isPercent = target !== undefined && sameDimension(target, unitOf("%"));
    return signed.length + (isPercent ? 0 : (percentage.exec(near.slice(signed.length))?.[0].length ?? 0));
  }
  const [bracketed = "", word = ""] = bracketedTolerance.exec(near) ?? [];
  const unit = target && unitOf(word);
  return unit && sameDimension(unit, target) ? bracketed.length : 0;
}

/** The code of the first character of a text that is no blank; 0: there is none. */
export function firstSign(text: string): number {
  let at = 0;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at < text.length ? text.charCodeAt(at) : 0;
}

/** Ends of brackets, emphasis and footnotes between a number and its unit. */
const closingMarks = /^[)\]}>*`"'\u2020\u2021]+(?=\s)/;

/** The text after a number in which its unit is searched: without its tolerance and closing marks. */
export function afterTolerance(after: string, target: Unit | undefined): string {
  const length = toleranceLength(after, target);
  const rest = length === 0 ? after : after.slice(length);
  return rest.charCodeAt(0) > 32 ? rest.replace(closingMarks, "") : rest;
}

/** The text without the tolerance at its end after a number with a unit: `5 ms +- 1 ms`. */
export function withoutTolerance(text: string): string {
  const [whole = "", number = ""] = toleranceAtEnd.exec(text.slice(-80)) ?? [];
  return text.slice(0, text.length - whole.length + number.length);
}

/** What follows a number that a pattern captures without its unit: ` ms`, ` (MB/s`. */
const unitAfterNumber = /^\s*[([]?([A-Za-z\u00b5\u03bc][A-Za-z\u00b5\u03bc\d/^*]*)/;

/** A word after a number; `M=3` is a name. */
const wordAfterNumber = /^\s*([A-Za-z\u00b5\u03bc%][\w\u00b5\u03bc/%]*)(?=[\s,;)\]}|.]|$)/;

/**
 * The unit after a captured number that is not itself captured, with a blank before it; "" if there is none of the
 * variable's dimension. Without a unit of the variable: a bare prefix, or a word that is only a unit. `a` and `min` are
 * no units here, as in texts.
 */
export function uncapturedUnit(captured: string, after: string, { type, unit: target }: Variable): string {
  if (!hasUnits(type) || !/[\d.]$/.test(captured)) return "";
  if (!target) {
    const word = wordAfterNumber.exec(after.slice(0, 40))?.[1] ?? "";
    const unit = unitOf(word);
    return barePrefix.test(word) || (unit && isUnitWord(unit, word)) ? ` ${word}` : "";
  }
  const word = unitAfterNumber.exec(afterTolerance(after, target).slice(0, 40))?.[1] ?? "";
  if (word === "a" || word === "min") return "";
  const unit = unitOf(word);
  return unit && sameDimension(unit, target) ? ` ${word}` : "";
}

/** True for a decimal prefix where the target has the binary one: `MByte/s` for MiByte/s. */
export function isLooseBinary({ factors }: Unit, target: Unit | undefined): boolean {
  if (target?.factors.every(({ prefix }) => !prefix.endsWith("i")) !== false) return false;
  const loose = target?.factors.map((factor) => ({ ...factor, prefix: factor.prefix.replace(/i$/, "") })) ?? [];
  const key = (each: readonly UnitFactor[]): string => JSON.stringify(each.map((f) => [f.base, f.prefix, f.exponent]));
  return key(loose) === key(factors) && key(factors) !== key(target?.factors ?? []);
}

/** The unit of a number, or only the factor of its prefix. */
export interface WrittenUnit {
  /** undefined: the unit that a number without a unit has. */
  readonly unit?: Unit;
  readonly times: number;
  /** Number of its words, if not one: `MB per second`. */
  readonly words?: number;
}

/**
 * The unit in the words after a number: a word that is a unit of the variable's dimension. Words that are clearly
 * another unit (`ms` after a bandwidth, `Mb/s`) make the number invalid; any other word is not a part of the value. The
 * word `a` is a year, and `min` a minute, only at the end of a text.
 */
export function unitWord(
  digits: string,
  [word = "", after = "", last = ""]: readonly string[],
  target: Unit | undefined,
  cut: Pick<Cut, "prefixes" | "unit">,
): WrittenUnit | InvalidValue | undefined {
  const time = after === "per" ? unitOf(bareTime(last)) : undefined;
  if (time && sameDimension(time, unitOf("s"))) {
    const unit = unitWord(digits, [`${word}/${bareTime(last)}`], target, cut);
    return unit instanceof InvalidValue ? unit : unit && { ...unit, words: 3 };
  }
  const refused = (problem: string): InvalidValue => new InvalidValue(`'${digits} ${word.slice(0, 40)}': ${problem}`);
  if (!/^[A-Za-z\u00b5\u03bc%$1(]/.test(word) || (word === "a" && after !== "")) return undefined;
  const unit = unitOf(word);
  if (unit && target && sameDimension(unit, target)) {
    if (word === "min" && after !== "") return refused("'min' may be a minute or a minimum; give unit=");
    const isOdd = unit.factors.some(({ base, prefix }) => prefix !== "" && unprefixed.includes(base));
    return isOdd ? refused(`'${word}' is an uncommon unit; give unit=`) : { unit, times: 1 };
  }
  if (word === "m" && target && sameDimension(target, unitOf("s"))) return refused("'m' may be a minute; give unit=");
  const isPrefix = barePrefix.test(word);
  if (isPrefix && (target || cut.prefixes))
    return prefixedUnit(digits, word, target, cut) ?? refused(`'${word}' does not convert to ${formatUnit(target)}`);
  if (!target) return undefined;
  const isForeign = unit ? isCertain(unit, word) : [rate, ambiguousBits, unknownPrefix].some((each) => each.test(word));
  return isForeign ? refused(`'${word.slice(0, 40)}' does not convert to ${formatUnit(target)}`) : undefined;
}

/** A word without punctuation after it. */
function bareTime(word: string): string {
  return word.replace(/[,;:.)\]]+$/, "");
}

/** Units of time that are spelled out. */
const spelledTime = /^(?:min(?:ute)?s|minute|hours?|days?|years?)$/i;

/** Whether a word is mostly used as its unit, next to numbers of a variable without one. */
export function isUnitWord(unit: Unit, word: string): boolean {
  return isCertain(unit, word) || word === "B" || word === "h";
}

function isCertain({ factors }: Unit, word: string): boolean {
  if (factors.length > 1 || spelledTime.test(word)) return true;
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
