import { formatUnit, InvalidValue, sameDimension, type Unit } from "../../../../core/values/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { PartialNumber } from "./unfit-number.ts";
import { firstSign, unitOf } from "./unit-words.ts";

const shortNumber = /^[+-]?[1-9]\d{0,2}$/;
const wholeNumber = /^[+-]?\d+$/;
/** Groups of three digits between blanks, and the text after them. */
const blankGroups = /^((?:\s\d{3})+)(?:[.,]\d+)?(?![\d.,:/-]*[\d/])\s*[([]?([A-Za-z\u00b5\u03bc%/]*)/;
/** Maximum length in characters of a number with separators. */
const longestGroups = 60;
/** The same number several times, such as the sizes of a grid, is none with separators. */
const equalGroups = /^(\d{3})(?:\s\1)+$/;
const [groupsAfter, groupsBefore] = [
  /^[\s([{<|]*([+-]?[1-9]\d{0,2}(?:\s\d{3})+)(?:[.,]\d+)?(?![\w.,:/-]*[\w/])(?!\s+[+-]?[\d.])/,
  /(?<![\d.,-]\s?)([1-9]\d{0,2}(?:\s\d{3})+)(?:[.,]\d+)?\s*$/,
];
/** What makes a number a power or the factor of one: `10^3`, `1.5 x 10^3`, `10\u00b3`. */
const superscript = "[\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079]";
const powerAfter = new RegExp(
  String.raw`^(?:\s*[x\u00d7\u00b7*]\s*10(?:\^|\*\*|${superscript})|\^|\*\*\s*[-\d]|${superscript})`,
);
const amount = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;
const unitText = String.raw`[A-Za-z\u00b5\u03bc%][\w\u00b5\u03bc/%]*`;
const to = String.raw`-|\u2013|\u2014|to`;
/** The end of a range, and its unit. `2 - 3 ms` may be entries of a table, one of which is missing. */
const [rangeEnd, rangeEntry] = ["-", "(?!-)"].map(
  (dash) =>
    new RegExp(String.raw`^(?:\s*(?:\.{2,3}|\u2026|\u2013|\u2014)\s*|-|\s+(?:${dash}|to)\s+)${amount}\s*(${unitText})`),
) as [RegExp, RegExp];
const boundSigns = String.raw`(?:[<>]=?|[\u2264\u2265\u2272\u2273~\u223c\u2248\u2243\u2245])`;
/** A sign before a number; that of an arrow is none. */
const boundBefore = new RegExp(String.raw`(?:^|[\s=:([,;|*])(?<![-=])(${boundSigns}\s*)$`);
/** What continues a number: `3-5`, `3..5`, `5/10`, `5:10`, `1_000`, `5+`; or a message within it: `5WARNING:`. */
const continuation =
  /^(?:\[[A-Za-z]|[A-Z]{4,}:|[-\u2013\u2014]\d|\.+\d|\u2026|\+(?=[\s,;)]|$)|_\d{3}(?!\d)|:\d\d(?!\d)|\/\d)/;
/** Two numbers at the beginning, or at the end, that may be a range; and a sign before the last number. */
const rangeAfter = new RegExp(
  String.raw`^[\s([{<|]*(${amount}(?:\s*${unitText})?\s+(?:${to})\s+\.?\d[\d.]*)(?![\d.]*[-:/]\d)`,
);
const rangeBefore = new RegExp(
  String.raw`(?:^|\s)((?:${boundSigns}|${amount}(?:\s*${unitText})?\s+(?:${to}))\s+\.?\d[\d.]*(?:\s*${unitText})?)\s*$`,
);
const betweenNumbers = new RegExp(String.raw`\s(?:${to})\s`);
const digitAfterBlank = /\s.*\d/;
/** Another number after a blank: `1.5 2.5`, `3 - 5`, `1 ms 2 ms`. */
const secondNumber = new RegExp(String.raw`^\s*\S+(?:\s+${unitText})?\s+(?:(?:${to}|\.\.+|\u2026)\s+)?[+-]?\.?\d`);
/** A unit, a number, and another unit: ` min 3 s`. */
const secondAmount = /^\s*([A-Za-z\u00b5\u03bc]+)[,\s]+\d+(?:\.\d+)?\s*([A-Za-z\u00b5\u03bc]+)(?![\w/])/;

/**
 * Why the number before `after` may be only a part of what is written: `1 000 KB/s` has separators of thousands,
 * `5 min 3 s` two amounts of time. `isEntry`: blanks separate entries, so that `12 345 us` are two of them.
 */
export function partialNumber(
  digits: string,
  after: string,
  target: Unit | undefined,
  cut: Pick<Cut, "thousands" | "scale">,
  isEntry: boolean,
): InvalidValue | undefined {
  const groups = cut.thousands === undefined && shortNumber.test(digits) ? blankGroups.exec(after) : null;
  if (groups && hasGroups(groups, target, isEntry))
    return new PartialNumber(
      `'${(digits + groups[0]).trim().slice(0, 40)}' may have blanks as separators of thousands; give thousands=" "`,
    );
  const odd = isWordOrNone(firstSign(after)) ? undefined : powerOrRange(digits, after, target, isEntry);
  if (odd) return odd;
  if (target === undefined || cut.scale !== undefined) return undefined;
  if (!wholeNumber.test(digits)) return undefined;
  const amounts = twoAmounts(after);
  if (!amounts || !sameDimension(amounts.unit, target) || (isEntry && amounts.unit.factors[0]?.base === "s"))
    return undefined;
  const text = (digits + amounts.text).slice(0, 40);
  const problem = `'${text}' has two amounts of time; make the variable a duration`;
  // A comma may separate two values.
  return text.includes(",") ? new InvalidValue(problem) : new PartialNumber(problem);
}

/** True for a letter that begins neither `x 10^3` nor `to 5 ms`, and for the end of the text. */
function isWordOrNone(code: number): boolean {
  const letter = code | 32;
  return code === 0 || (letter >= 97 && letter <= 122 && letter !== 116 && letter !== 120);
}

function powerOrRange(
  digits: string,
  after: string,
  target: Unit | undefined,
  isEntry: boolean,
): PartialNumber | undefined {
  if (powerAfter.test(after))
    return new PartialNumber(`'${(digits + after).slice(0, 20)}' is not in the notation of a number, such as 1.5e3`);
  const range = target && (isEntry ? rangeEntry : rangeEnd).exec(after.slice(0, longestGroups));
  const unit = range && unitOf(range[1] ?? "");
  return unit && sameDimension(unit, target) ? new PartialNumber(`'${digits}${range[0]}' is a range`) : undefined;
}

/** The sign of a bound or an estimate before the number at `start`: `<5`, `~ 5`. Brackets around it are none. */
export function boundSign(text: string, start: number): string | undefined {
  if (start === 0) return undefined;
  const sign = boundBefore.exec(text.slice(Math.max(0, start - 12), start))?.[1];
  if (sign === undefined) return undefined;
  const after = text.slice(start, start + longestGroups);
  const isBracket = sign === "<" ? /^[^<>]*>/.test(after) : sign === ">" && /^[^<>]*<\//.test(after);
  return isBracket ? undefined : sign;
}

/** Why the number from `start` to before `end` may be another one than what is written around it. */
export function doubtAround(text: string, start: number, end: number): string | undefined {
  const sign = boundSign(text, start);
  const isOver = end === text.length || text.charCodeAt(end) === 32;
  if (sign === undefined && (isOver || !continuation.test(text.slice(end, end + 8)))) return undefined;
  const number = text.slice(start, end);
  if (sign !== undefined) return `'${sign}${number}' is ${kindOf(sign)}: ${number} is read`;
  const word = /^\S*/.exec(text.slice(start))?.[0] ?? number;
  return `'${word.slice(0, 40)}' may be another number: ${number} is read`;
}

/** What a sign before a number makes it: no value, but a bound or an estimate. */
export function kindOf(sign: string): string {
  return /^[<>\u2264\u2265\u2272\u2273]/.test(sign) ? "a bound" : "an estimate";
}

/** Why the number next to a mark may be the end of a range; `leads`: it precedes its mark. */
export function possibleRange(text: string, leads = false): string | undefined {
  const near = leads ? text.slice(-longestGroups) : text.slice(0, longestGroups);
  if (!leads && !betweenNumbers.test(near)) return undefined;
  const range = (leads ? rangeBefore : rangeAfter).exec(near)?.[1];
  return range === undefined ? undefined : `'${range}' may be a range: its ${leads ? "last" : "first"} number is read`;
}

/** Why an entry may be more than its first number. */
export function severalNumbers(entry: string, { thousands }: Pick<Cut, "thousands">): string | undefined {
  if (thousands !== undefined && thousands.trim() === "") return undefined;
  return digitAfterBlank.test(entry) && secondNumber.test(entry)
    ? `'${entry.slice(0, 40)}' has several numbers, of which the first is read`
    : undefined;
}

/**
 * Why the number next to a mark may be longer than the group of digits that is read: `12 345`. `leads`: it precedes its
 * mark.
 */
export function possibleThousands(
  text: string,
  { thousands, length, filters = [], maps = [] }: Cut,
  leads = false,
): string | undefined {
  if (thousands !== undefined || length !== undefined || filters.length + maps.length > 0) return undefined;
  const near = leads ? text.slice(-longestGroups) : text.slice(0, longestGroups);
  const groups = (leads ? groupsBefore : groupsAfter).exec(near)?.[1];
  if (groups === undefined || equalGroups.test(groups)) return undefined;
  const part = groups.split(/\s/).at(leads ? -1 : 0);
  return `'${groups.slice(0, 40)}' may have blanks as separators of thousands, ${part} is read; give thousands=" "`;
}

/** The text after a number that begins with its unit, another number and another unit of time: ` s 3 min`. */
function twoAmounts(after: string): { readonly text: string; readonly unit: Unit } | undefined {
  const [text = "", first = "", second = ""] = secondAmount.exec(after) ?? [];
  const [unit, next] = [unitOf(first), unitOf(second)];
  if (!unit || !next || !isTime(unit) || !isTime(next) || formatUnit(unit) === formatUnit(next)) return undefined;
  return { text, unit };
}

const lastAmount = /(?<![\d.])(\d+)(\s*[A-Za-z\u00b5\u03bc]+)$/;

/** Why a duration may be only a part of what is written: its amounts are in ascending order (`5 s 3 min`). */
export function partialDuration(duration: string, after: string): InvalidValue | undefined {
  const [, digits = "", unit = ""] = lastAmount.exec(duration) ?? [];
  const amounts = unit === "" ? undefined : twoAmounts(unit + after);
  return (
    amounts && new InvalidValue(`the amounts of '${(digits + amounts.text).slice(0, 40)}' are not in descending order`)
  );
}

/** A group with a leading zero is no number of its own; a unit after the last one is that of a single number. */
function hasGroups([, groups = "", word = ""]: RegExpExecArray, target: Unit | undefined, isEntry: boolean): boolean {
  const hasZero = /\s0/.test(groups);
  const unit = target && unitOf(word);
  const hasUnit = unit !== undefined && sameDimension(unit, target);
  return isEntry ? hasUnit && hasZero : hasUnit || hasZero;
}

function isTime({ factors }: Unit): boolean {
  const [factor, ...others] = factors;
  return others.length === 0 && factor?.exponent === 1 && ["s", "min", "h", "d"].includes(factor.base);
}
