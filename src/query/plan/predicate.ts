import type { Junction } from "../../core/experiments/query-description.ts";
import { compareValues, formatValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";

/** A condition on the contents of one row, as a tree. Without a content only `null` holds. */
export type Predicate =
  | { readonly kind: Junction; readonly of: readonly Predicate[] }
  | {
      readonly kind: "=" | "<>" | "<" | "<=" | ">" | ">=";
      readonly variable: Variable;
      readonly value: Exclude<Value, null>;
    }
  | { readonly kind: "null" | "notnull"; readonly variable: Variable }
  /**
   * `contain`: the text is part of the content, `notcontain`: it is not; `like`: SQL's LIKE, where % is any text and _
   * any character; `regexp`: RE2, anywhere.
   */
  | { readonly kind: TextComparison; readonly variable: Variable; readonly text: string };

type TextComparison = "contain" | "notcontain" | "like" | "regexp";

export const always: Predicate = { kind: "and", of: [] };

/** Conditions joined; nothing at all is always true. */
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

/** Makes the test of a regular expression; the engine for it lives outside of pure code. */
export type CompilePattern = (source: string) => (text: string) => boolean;

/** What the predicate says of a row: the reference that databases are compared with. */
export function holds(predicate: Predicate, content: (variable: Variable) => Value, compile: CompilePattern): boolean {
  switch (predicate.kind) {
    case "and":
      return predicate.of.every((each) => holds(each, content, compile));
    case "or":
      return predicate.of.some((each) => holds(each, content, compile));
    case "null":
      return content(predicate.variable) === null;
    case "notnull":
      return content(predicate.variable) !== null;
    case "contain":
    case "notcontain":
    case "like":
    case "regexp":
      return holdsText(predicate.kind, content(predicate.variable), predicate, compile);
    default:
      return holdsComparison(predicate.kind, content(predicate.variable), predicate.value, predicate.variable);
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

/** Tells whether a content fits. */
export function textTest(kind: TextComparison, text: string, compile: CompilePattern): (content: string) => boolean {
  if (kind === "contain") return (content) => content.includes(text);
  if (kind === "notcontain") return (content) => !content.includes(text);
  return compile(kind === "regexp" ? text : likePattern(text));
}

/** `\` makes the character behind it stand for itself. */
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
