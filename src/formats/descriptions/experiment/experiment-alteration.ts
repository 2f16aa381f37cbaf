import type { VariableAlteration } from "../../../core/experiments/experiment-update.ts";
import { formatUnit, type Unit } from "../../../core/values/unit.ts";
import { dataTypes } from "../../../core/values/value.ts";
import { isName } from "../../../core/variables/variable.ts";
import { descriptionError, printList, printWord, quote, type DescriptionLine, type Word } from "../lexical-syntax.ts";
import { longestProblem, unitAt } from "./experiment-variable.ts";

/*
 * [name=] [role=] [type=] [size=] [occurrence=] [default=] [unit=] [valid={…}] [only={…}|only=any] [longest=]
 * [numeric=] [better=]
 *   [forget={synopsis,description}]
 *
 * `none` removes a unit, a length or a direction. A default is `-` for none, or NULL for "may be missing".
 */

type Reader = (line: DescriptionLine, word: Word) => VariableAlteration;

const readers: Readonly<Record<string, Reader>> = {
  name: (line, word) => ({ newName: nameAt(line, word) }),
  role: (line, word) => ({ role: choice(line, word, ["parameter", "result"]) }),
  type: (line, word) => ({ type: choice(line, word, dataTypes) }),
  size: (line, word) => ({ size: sizes[choice(line, word, ["2", "4", "8"])] }),
  occurrence: (line, word) => ({ occurrence: choice(line, word, ["once", "multiple"]) }),
  default: (_, word) => ({ default: defaultOf(word) }),
  unit: (line, word) => ({ unit: unitOrNull(unitAt(line, word)) }),
  valid: (line, word) => ({ valid: { add: listAt(line, word) } }),
  only: (line, word) => ({ valid: !word.list && word.text === "any" ? "any" : { only: listAt(line, word) } }),
  longest: (line, word) => ({ longest: longestAt(line, word) }),
  numeric: (line, word) => ({ numeric: choice(line, word, ["yes", "no"]) === "yes" }),
  better: (line, word) => ({ better: directions[choice(line, word, ["lower", "higher", "none"])] }),
  forget: readForgotten,
};

const directions = { lower: "lower", higher: "higher", none: null } as const;
const sizes = { "2": 2, "4": 4, "8": 8 } as const;

/** Reads the words after `*alter NAME` or `*put NAME`. */
export function readAlteration(line: DescriptionLine, words: readonly Word[]): VariableAlteration {
  const seen = new Set<string>();
  let alteration: VariableAlteration = {};
  for (const word of words) {
    const key = word.key ?? "";
    const read = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (!read) throw unknownWord(line, word);
    const what = key === "only" ? "valid" : key;
    if (seen.has(what)) throw descriptionError(line, word.column, `the ${what} is given twice`);
    seen.add(what);
    alteration = { ...alteration, ...read(line, word) };
  }
  return alteration;
}

function unknownWord(line: DescriptionLine, word: Word): Error {
  const candidates = Object.keys(readers);
  const problem =
    word.key === undefined
      ? `'${word.text.slice(0, 40)}' is not of the form key=value`
      : `unknown word '${word.key.slice(0, 40)}='`;
  const advice = `there are ${candidates.map((each) => `${each}=`).join(" ")}`;
  return descriptionError(line, word.column, problem, { word: word.key ?? word.text, candidates, advice });
}

/** The name of a variable. Fails with `description-error` on an invalid name. */
export function nameAt(line: DescriptionLine, word: Word): string {
  if (isName(word.text)) return word.text;
  throw descriptionError(line, word.column, `'${word.text.slice(0, 80)}' is not a valid name`, {
    advice: "names have letters, digits, _ . and -, and do not begin with a digit",
  });
}

export function choice<T extends string>(line: DescriptionLine, word: Word, choices: readonly T[]): T {
  const found = choices.find((each) => each === word.text.toLowerCase());
  if (found !== undefined) return found;
  const problem = `${word.key === undefined ? "" : `${word.key} `}'${word.text.slice(0, 40)}' is none of ${choices.join(", ")}`;
  throw descriptionError(line, word.column, problem, { word: word.text, candidates: choices });
}

/** The unit, or null if it has no factors. */
export function unitOrNull(unit: Unit): Unit | null {
  return unit.factors.length === 0 ? null : unit;
}

function defaultOf({ text, quoted }: Word): NonNullable<VariableAlteration["default"]> {
  if (text === "-" && !quoted) return "none";
  return { value: text === "NULL" && !quoted ? null : text };
}

function listAt(line: DescriptionLine, word: Word): readonly string[] {
  if (word.list && word.list.length > 0) return word.list;
  throw descriptionError(line, word.column, `${word.key} needs a list, as in ${word.key}={read,write}`);
}

function longestAt(line: DescriptionLine, word: Word): number | null {
  if (word.text === "none") return null;
  const problem = longestProblem(word.text, undefined);
  if (problem === undefined) return Number(word.text);
  throw descriptionError(line, word.column, problem, { advice: "give a number, or none" });
}

function readForgotten(line: DescriptionLine, word: Word): VariableAlteration {
  const items = word.list ?? [word.text];
  const fields = items.map((text) => choice(line, { ...word, text }, ["synopsis", "description"]));
  return Object.fromEntries(fields.map((field) => [field, null]));
}

/** Words that `readAlteration` reads back. Synopsis and description are comments unless they are removed. */
export function printAlteration(change: VariableAlteration): string[] {
  const { newName, role, type, size, occurrence, default: fallback, unit, valid, longest, numeric, better } = change;
  const gone = (["synopsis", "description"] as const).filter((field) => change[field] === null);
  return [
    ...(newName === undefined ? [] : [`name=${newName}`]),
    ...(role === undefined ? [] : [`role=${role}`]),
    ...(type === undefined ? [] : [`type=${type}`]),
    ...(size === undefined ? [] : [`size=${size}`]),
    ...(occurrence === undefined ? [] : [`occurrence=${occurrence}`]),
    ...(fallback === undefined ? [] : [`default=${printDefault(fallback)}`]),
    ...(unit === undefined ? [] : [`unit=${formatUnit(unit ?? undefined) || "none"}`]),
    ...(valid === undefined ? [] : [printValid(valid)]),
    ...(longest === undefined ? [] : [`longest=${longest ?? "none"}`]),
    ...(numeric === undefined ? [] : [`numeric=${numeric ? "yes" : "no"}`]),
    ...(better === undefined ? [] : [`better=${better ?? "none"}`]),
    ...(gone.length === 0 ? [] : [`forget=${printList(gone)}`]),
  ];
}

function printDefault(fallback: NonNullable<VariableAlteration["default"]>): string {
  if (fallback === "none") return "-";
  if (fallback.value === null) return "NULL";
  return ["-", "NULL"].includes(fallback.value) ? quote(fallback.value) : printWord(fallback.value);
}

function printValid(valid: NonNullable<VariableAlteration["valid"]>): string {
  if (valid === "any") return "only=any";
  return "add" in valid ? `valid=${printList(valid.add)}` : `only=${printList(valid.only)}`;
}
