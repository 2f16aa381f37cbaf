import { formatUnit, InvalidValue, sameDimension, type Unit } from "../../../../core/values/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { unitOf } from "./unit-words.ts";

const shortNumber = /^[+-]?[1-9]\d{0,2}$/;
const wholeNumber = /^[+-]?\d+$/;
/** Groups of three digits between blanks, and the text after them. */
const blankGroups = /^((?:\s\d{3})+)(?:\.\d+)?(?![\d.,:/-]*[\d/])\s*[([]?([A-Za-z\u00b5\u03bc%/]*)/;
/** Maximum length in characters of a number with separators. */
const longestGroups = 60;
/** The same number several times, such as the sizes of a grid, is none with separators. */
const equalGroups = /^(\d{3})(?:\s\1)+$/;
const [groupsAfter, groupsBefore] = [
  /^[\s([{<|]*([+-]?[1-9]\d{0,2}(?:\s\d{3})+)(?:\.\d+)?(?![\w.,:/-]*[\w/])(?!\s+[+-]?[\d.])/,
  /(?<![\d.,-]\s?)([1-9]\d{0,2}(?:\s\d{3})+)\s*$/,
];
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
    return new InvalidValue(
      `'${(digits + groups[0]).trim().slice(0, 40)}' may have blanks as separators of thousands; give thousands=" "`,
    );
  if (target === undefined || cut.scale !== undefined || !wholeNumber.test(digits)) return undefined;
  const amounts = twoAmounts(after);
  if (!amounts || !sameDimension(amounts.unit, target) || (isEntry && amounts.unit.factors[0]?.base === "s"))
    return undefined;
  const text = (digits + amounts.text).slice(0, 40);
  return new InvalidValue(`'${text}' has two amounts of time; make the variable a duration`);
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
