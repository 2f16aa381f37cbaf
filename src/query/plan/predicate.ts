import type { Junction } from "../../core/experiments/index.ts";
import { compareValues, formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { TextMatch } from "./condition.ts";

/** A condition on the values of one row, as a tree. Only `null` holds for a missing value. */
export type Predicate =
  | { readonly kind: Junction; readonly of: readonly Predicate[] }
  | {
      readonly kind: "=" | "<>" | "<" | "<=" | ">" | ">=";
      readonly variable: Variable;
      readonly value: Exclude<Value, null>;
    }
  | { readonly kind: "null" | "notnull"; readonly variable: Variable }
  /**
   * `contain`: the value contains the text, `notcontain`: it does not; `like`: SQL's LIKE, where % is any text and _
   * any character; `regexp`: RE2, anywhere; `notregexp`: it matches nowhere.
   */
  | { readonly kind: TextComparison; readonly variable: Variable; readonly text: string };

type TextComparison = "contain" | "notcontain" | "like" | "regexp" | "notregexp";

export const always: Predicate = { kind: "and", of: [] };

/** Combines conditions; an empty list is always true. */
export function join(kind: Junction, of: readonly Predicate[]): Predicate {
  const [first, second] = of;
  if (first === undefined) return always;
  return second === undefined ? first : { kind, of };
}

export function isAlways(predicate: Predicate): boolean {
  return predicate.kind === "and" && predicate.of.length === 0;
}

export function variablesIn(predicate: Predicate): Variable[] {
  return "of" in predicate ? predicate.of.flatMap(variablesIn) : [predicate.variable];
}

/** Compiles a regular expression; the engine is outside of pure code. */
export type CompilePattern = (source: string) => (text: string) => boolean;

/** Evaluates the predicate on a row: the reference for databases. */
export function holds(predicate: Predicate, value: (variable: Variable) => Value, compile: CompilePattern): boolean {
  switch (predicate.kind) {
    case "and":
      return predicate.of.every((each) => holds(each, value, compile));
    case "or":
      return predicate.of.some((each) => holds(each, value, compile));
    case "null":
      return value(predicate.variable) === null;
    case "notnull":
      return value(predicate.variable) !== null;
    case "contain":
    case "notcontain":
    case "like":
    case "regexp":
    case "notregexp":
      return holdsText(predicate.kind, value(predicate.variable), predicate, compile);
    default:
      return holdsComparison(predicate.kind, value(predicate.variable), predicate.value, predicate.variable);
  }
}

function holdsText(
  kind: TextComparison,
  value: Value,
  { text, variable }: { readonly text: string; readonly variable: Variable },
  compile: CompilePattern,
): boolean {
  return value !== null && textTest(kind, text, compile)(formatValue(value, variable.type));
}

/** Returns the test of a text comparison. */
export function textTest(kind: TextComparison, text: string, compile: CompilePattern): (value: string) => boolean {
  if (kind === "contain") return (value) => value.includes(text);
  if (kind === "notcontain") return (value) => !value.includes(text);
  if (kind === "like") return compile(likePattern(text));
  const matches = compile(text);
  return kind === "regexp" ? matches : (value) => !matches(value);
}

const comparisonOf: Readonly<Record<TextMatch, TextComparison>> = {
  "~": "regexp",
  "!~": "notregexp",
  contains: "contain",
  lacks: "notcontain",
  like: "like",
};

/** Returns the test of a text comparison of the command line. */
export function matchTest(match: TextMatch, text: string, compile: CompilePattern): (value: string) => boolean {
  return textTest(comparisonOf[match], text, compile);
}

/** `\` escapes the next character. */
function likePattern(text: string): string {
  const parts = text.match(/\\[\s\S]|[\s\S]/gu) ?? [];
  const pieces = parts.map((part) =>
    part === "%" ? ".*" : part === "_" ? "." : quoted(part.length > 1 && part[0] === "\\" ? part.slice(1) : part),
  );
  return `(?s)^${pieces.join("")}$`;
}

function quoted(character: string): string {
  return character.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&");
}

function holdsComparison(
  kind: "=" | "<>" | "<" | "<=" | ">" | ">=",
  value: Value,
  bound: Value,
  { type }: Variable,
): boolean {
  if (value === null) return false;
  const order = compareValues(value, bound, type);
  if (kind === "=") return order === 0;
  if (kind === "<>") return order !== 0;
  if (kind === "<") return order < 0;
  if (kind === "<=") return order <= 0;
  return kind === ">" ? order > 0 : order >= 0;
}
