import { InvalidValue, numberScanner } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { extractNumber } from "../extract-number.ts";
import { partialNumber } from "./number-doubts.ts";
import { bareWord } from "./number-reader.ts";
import { isTimeType, TimeReader } from "./time-reader.ts";
import { afterTolerance, unitWord } from "./unit-words.ts";

/** Number of words, from the first one on, that a value has; `isEntry`: blanks separate entries. */
export type Extent = (words: readonly string[], isEntry: boolean) => number;

/** Words examined for a time, or for a number with groups of digits. */
const mostWords = 12;
/** Words of a value that cannot be read, such as `5 MB per second`. */
const shownWords = 4;

/**
 * Where the values of a variable end: numbers with their units and times may have several words. undefined: values are
 * one word.
 */
export function extentOf(variable: Variable, cut: Cut): Extent | undefined {
  if (isTimeType(variable.type)) {
    const reader = new TimeReader(variable.type, cut);
    return (words) => reader.wordsAt(words.slice(0, mostWords).join(" ")) ?? Math.min(words.length, mostWords);
  }
  if (!hasUnits(variable.type)) return undefined;
  if (cut.unit === "text") return () => 2;
  if (cut.thousands === " ") return groupedExtent(cut);
  return (words, isEntry) => {
    const [first = "", ...next] = words;
    const found = extractNumber(first, cut);
    if (found === undefined || found instanceof InvalidValue) return 1;
    const after = [first.slice(found.end), ...next].join(" ");
    if (partialNumber(found.digits, after, variable.unit, cut, isEntry)) return Math.min(words.length, mostWords);
    const rest = afterTolerance(after, variable.unit);
    const hasTolerance = rest.length < after.length;
    const own = hasTolerance ? after.slice(0, after.length - rest.length).split(" ").length : 1;
    if ((rest !== "" && !rest.startsWith(" ")) || cut.scale !== undefined) return own;
    const [word = "", second = "", third = ""] = hasTolerance ? rest.trimStart().split(" ", 3) : next;
    const unit = unitWord(found.digits, [bareWord(word), second, third], variable.unit, cut);
    return unit === undefined ? own : own + (unit instanceof InvalidValue ? shownWords - 1 : (unit.words ?? 1));
  };
}

/** Groups of digits between blanks, and a word that may be a unit. */
function groupedExtent(cut: Cut): Extent {
  const scan = numberScanner(cut);
  return (words) => {
    const end = scan(words.slice(0, mostWords).join(" "))?.end ?? 1;
    return words.join(" ").slice(0, end).split(" ").length + (cut.scale === undefined ? 1 : 0);
  };
}
