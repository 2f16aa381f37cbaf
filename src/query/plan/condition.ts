import { Failure } from "../../core/failures/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { splitCondition, type ConditionText } from "./condition-text.ts";
import { parseBound } from "./parse-value.ts";
import type { Predicate, TextComparison } from "./predicate.ts";

/**
 * A comparison as users write it. `~` holds for texts in which an RE2 pattern matches anywhere, `contains` for those
 * that contain the given one (both case-sensitive), `like` is SQL's LIKE.
 */
type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=" | TextMatch | "in" | "not in" | "null" | "notnull";

/** Comparisons of texts with a pattern, or with a part of them. */
type TextMatch = "~" | "!~" | "contains" | "lacks" | "like";

const textComparisons: Readonly<Record<TextMatch, TextComparison>> = {
  "~": "regexp",
  "!~": "notregexp",
  contains: "contain",
  lacks: "notcontain",
  like: "like",
};

export function isTextMatch(comparison: Comparison): comparison is TextMatch {
  return Object.hasOwn(textComparisons, comparison);
}

/** Longer operators first, so that `<=` is not parsed as `<`. */
const symbols: readonly (readonly [string, Comparison])[] = [
  ["!=", "!="],
  ["<>", "!="],
  ["<=", "<="],
  [">=", ">="],
  ["==", "="],
  ["!~", "!~"],
  ["=", "="],
  ["<", "<"],
  [">", ">"],
  ["~", "~"],
];

const words: readonly (readonly [RegExp, Comparison])[] = [
  [/^(\S+)\s+(?:is\s+)?null$/i, "null"],
  [/^(\S+)\s+(?:is\s+not\s+null|notnull)$/i, "notnull"],
  [/^(\S+)\s+in\s+(.+)$/is, "in"],
  [/^(\S+)\s+not\s+in\s+(.+)$/is, "not in"],
  [/^(\S+)\s+contains\s+(.+)$/is, "contains"],
  [/^(\S+)\s+lacks\s+(.+)$/is, "lacks"],
  [/^(\S+)\s+like\s+(.+)$/is, "like"],
];

/** Parses `(op=write or op=read) and S_size>=1KiByte`. Fails with `bad-condition`, and like `find`. */
export function parseConditions(text: string, find: (name: string) => Variable): Predicate {
  return readConditions(splitCondition(text), find);
}

/** Like `parseConditions`, for a condition that is split already. */
export function readConditions(text: ConditionText, find: (name: string) => Variable): Predicate {
  if (typeof text === "string") return parseCondition(text, find);
  return { kind: text.junction, of: text.of.map((part) => readConditions(part, find)) };
}

/**
 * Parses `S_size>=1KiByte`, `op=write`, `n in 1,2,4`, `T is null`; numbers with a unit are converted to the unit of the
 * variable.
 */
export function parseCondition(text: string, find: (name: string) => Variable): Predicate {
  const { name, comparison, values } = readComparison(text);
  const variable = find(name);
  if (isTextMatch(comparison)) {
    if (!isText(variable)) throw bad(text, `${comparison} needs a text, but '${variable.name}' is a ${variable.type}`);
    return { kind: textComparisons[comparison], variable, text: values[0] ?? "" };
  }
  if (comparison === "null" || comparison === "notnull") return { kind: comparison, variable };
  const bounds = values.map((value) => parseBound(value, variable));
  if (comparison === "in" || comparison === "not in")
    return { kind: comparison === "in" ? "in" : "notin", variable, values: bounds };
  return { kind: comparison === "!=" ? "<>" : comparison, variable, value: bounds[0] ?? "" };
}

/** A comparison as written. */
export interface ComparisonText {
  readonly name: string;
  readonly comparison: Comparison;
  readonly values: readonly string[];
}

export function readComparison(written: string): ComparisonText {
  const text = written.trim();
  const word = byWord(text);
  if (word !== undefined) return word;
  const at = text.search(/[=!<>~]/);
  const found = at < 0 ? undefined : symbols.find(([symbol]) => text.startsWith(symbol, at));
  if (found === undefined) throw bad(text, "there is no operator in it");
  const name = text.slice(0, at).trim();
  if (name === "") throw bad(text, "there is no name before the operator");
  return { name, comparison: found[1], values: [unquoted(text.slice(at + found[0].length).trim())] };
}

function byWord(text: string): ComparisonText | undefined {
  for (const [pattern, comparison] of words) {
    const match = pattern.exec(text);
    if (match?.[1] === undefined || /[=!<>~]/.test(match[1])) continue;
    const values = isTextMatch(comparison) ? [unquoted((match[2] ?? "").trim())] : listOf(match[2]);
    return { name: match[1], comparison, values };
  }
  return undefined;
}

/** Values separated by commas; a comma in double quotes is part of the value. */
function listOf(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const inner = /^\((.*)\)$/s.exec(text)?.[1] ?? text;
  return (inner.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((value) => unquoted(value.trim()));
}

function unquoted(value: string): string {
  return /^"(.*)"$/s.exec(value)?.[1] ?? value;
}

function isText(variable: Variable): boolean {
  return variable.type === "string" || variable.type === "text" || variable.type === "version";
}

function bad(condition: string, problem: string): Failure {
  return new Failure("bad-condition", { condition, problem });
}
