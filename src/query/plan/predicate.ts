import type { Junction } from "../../core/experiments/index.ts";
import { compareValues, formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/**
 * A condition on the values of one row, as a tree. Only `null` holds for a missing value. NaN equals NaN and is above
 * all other numbers.
 */
export type Predicate =
  | { readonly kind: Junction; readonly of: readonly Predicate[] }
  | {
      readonly kind: "=" | "<>" | "<" | "<=" | ">" | ">=";
      readonly variable: Variable;
      readonly value: Exclude<Value, null>;
    }
  | { readonly kind: "in" | "notin"; readonly variable: Variable; readonly values: readonly Value[] }
  | { readonly kind: "null" | "notnull"; readonly variable: Variable }
  /**
   * `contain`: the value contains the text, `notcontain`: it does not; `like`: SQL's LIKE, where % is any text and _
   * any character; `regexp`: RE2, anywhere; `notregexp`: it matches nowhere.
   */
  | { readonly kind: TextComparison; readonly variable: Variable; readonly text: string };

export type TextComparison = "contain" | "notcontain" | "like" | "regexp" | "notregexp";

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

/** Replaces each condition that is not a junction. */
export function mapPredicate(
  predicate: Predicate,
  replace: (leaf: Exclude<Predicate, { readonly kind: Junction }>) => Predicate,
): Predicate {
  if (!("of" in predicate)) return replace(predicate);
  return { ...predicate, of: predicate.of.map((each) => mapPredicate(each, replace)) };
}

/** Compiles a regular expression; the engine is outside of pure code. */
export type CompilePattern = (source: string) => (text: string) => boolean;

/** Returns the test of a row, given its values by variable: the reference for databases. */
export function predicateTest(
  predicate: Predicate,
  compile: CompilePattern,
): (value: (variable: Variable) => Value) => boolean {
  if ("of" in predicate) {
    const tests = predicate.of.map((each) => predicateTest(each, compile));
    return predicate.kind === "and"
      ? (value) => tests.every((test) => test(value))
      : (value) => tests.some((test) => test(value));
  }
  const { variable } = predicate;
  const test = valueTest(predicate, compile);
  return (value) => test(value(variable));
}

function valueTest(
  predicate: Exclude<Predicate, { readonly kind: Junction }>,
  compile: CompilePattern,
): (cell: Value) => boolean {
  const { type } = predicate.variable;
  if ("values" in predicate) {
    const { kind, values } = predicate;
    return (cell) => cell !== null && values.some((each) => compareValues(cell, each, type) === 0) === (kind === "in");
  }
  if ("text" in predicate) {
    const matches = textTest(predicate.kind, predicate.text, compile);
    return (cell) => cell !== null && matches(formatValue(cell, type));
  }
  if ("value" in predicate) {
    const { value } = predicate;
    const holds = orders[predicate.kind];
    return (cell) => cell !== null && holds(compareValues(cell, value, type));
  }
  const isWanted = predicate.kind === "null";
  return (cell) => (cell === null) === isWanted;
}

const orders = {
  "=": (order: number): boolean => order === 0,
  "<>": (order: number): boolean => order !== 0,
  "<": (order: number): boolean => order < 0,
  "<=": (order: number): boolean => order <= 0,
  ">": (order: number): boolean => order > 0,
  ">=": (order: number): boolean => order >= 0,
};

/** Returns the test of a text comparison. */
export function textTest(kind: TextComparison, text: string, compile: CompilePattern): (value: string) => boolean {
  if (kind === "contain") return (value) => value.includes(text);
  if (kind === "notcontain") return (value) => !value.includes(text);
  if (kind === "like") return compile(likePattern(text));
  const matches = compile(text);
  return kind === "regexp" ? matches : (value) => !matches(value);
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
