import {
  comparisonOf,
  comparisonWords,
  type FilterComparison,
  type FilterGroup,
  type FilterMember,
  type Junction,
} from "../../../core/experiments/index.ts";
import type { DescriptionLine, Word } from "../lexical-syntax.ts";
import { singleQuoted, Tokens } from "./query-text-tokens.ts";

/*
 * Conditions on one value: `>= 1KiByte and <= 1MiByte`, `(= a or = b), notnull`. Conditions are combined by `and` or
 * `or`, and both only with parentheses. A comma uses the default junction of the query (`and` unless set). A leading
 * `and:` or `or:` sets the junction of fewer than two conditions. In filters of sources each condition begins with a
 * variable: `(op = read or op = write) and size >= 1KiByte`.
 */

const words = Object.values(comparisonWords);
const signs = words.filter((word) => /^[!=<>~]/.test(word));
const names = words.filter((word) => !signs.includes(word));
const bare: readonly FilterComparison[] = ["all", "null", "notnull"];
const deepest = 50;
const tokenPattern = /'([^'\\]*(?:\\.[^'\\]*)*)'|((?!![=~])[^\s'(),<>=~]+)|(!=|!~|<=|>=|[(),<>=~])/suy;

/** Reads the filter of a `where=` or `sweep=`. Fails with `description-error` at the word. */
export function parseFilter(line: DescriptionLine, word: Word): FilterGroup {
  return parseConditions(line, word, false);
}

/** Reads the filter of a source's `where=`, whose conditions are named. */
export function parseSourceFilter(line: DescriptionLine, word: Word): FilterGroup {
  return parseConditions(line, word, true);
}

function parseConditions(line: DescriptionLine, word: Word, isNamed: boolean): FilterGroup {
  const tokens = new Tokens(line, word.text, tokenPattern, () => word.column);
  const group = readGroup(tokens, 0, isNamed);
  tokens.needEnd();
  return group;
}

function readGroup(tokens: Tokens, depth: number, isNamed: boolean): FilterGroup {
  if (depth > deepest) throw tokens.error(`filters are nested deeper than ${deepest}`);
  let boolean = leadingJunction(tokens);
  const members: FilterMember[] = [];
  while (!tokens.is("end") && !tokens.is("sign", ")")) {
    if (members.length > 0) boolean = junctionBetween(tokens, boolean, members.length === 1);
    members.push(readMember(tokens, depth, isNamed));
  }
  return { kind: "filter", ...(boolean === undefined ? {} : { boolean }), members };
}

function leadingJunction(tokens: Tokens): Junction | undefined {
  if (!tokens.is("word", "and:", "or:")) return undefined;
  return tokens.take().text === "or:" ? "or" : "and";
}

/** Reads the junction between two conditions; the first one applies to all. */
function junctionBetween(tokens: Tokens, boolean: Junction | undefined, first: boolean): Junction | undefined {
  const comma = tokens.takeSign(",") !== undefined;
  if (!comma && !tokens.is("word", "and", "or"))
    throw tokens.error("'and', 'or' or a comma is missing between two conditions");
  const found: Junction | undefined = comma ? undefined : tokens.next.text === "or" ? "or" : "and";
  if ((found ?? boolean) !== boolean && !(first && boolean === undefined))
    throw tokens.error("'and' and 'or' are mixed", { advice: "put parentheses around what belongs together" });
  if (!comma) tokens.take();
  else if (!first && boolean !== undefined)
    throw tokens.error("a comma is mixed with 'and' or 'or'", {
      advice: "put parentheses around what belongs together",
    });
  return found ?? boolean;
}

function readMember(tokens: Tokens, depth: number, isNamed: boolean): FilterMember {
  if (tokens.takeSign("(") !== undefined) {
    const group = readGroup(tokens, depth + 1, isNamed);
    tokens.needSign(")");
    return group;
  }
  const named = isNamed ? { of: readName(tokens) } : {};
  const kind = readComparison(tokens);
  if (bare.includes(kind)) return { kind, ...named, value: "" };
  if (!tokens.is("text") && !tokens.is("word")) throw tokens.error("a value is missing after the comparison");
  return { kind, ...named, value: tokens.take().text };
}

function readName(tokens: Tokens): string {
  if ((tokens.is("text") || tokens.is("word")) && tokens.next.text !== "") return tokens.take().text;
  throw tokens.error("the name of the compared variable is missing", { advice: "write NAME >= VALUE" });
}

function readComparison(tokens: Tokens): FilterComparison {
  const { kind, text } = tokens.next;
  const found = kind === "sign" || kind === "word" ? comparisonOf(text) : undefined;
  if (found === undefined) {
    const advice = `comparisons are ${[...signs, ...names].join(" ")}`;
    throw tokens.error(`'${text.slice(0, 40)}' is not a comparison`, { word: text, candidates: names, advice });
  }
  tokens.take();
  return found;
}

/** Prints a filter; `parseFilter` reads it back. */
export function printFilterText({ boolean, members }: FilterGroup): string {
  const printed = members.map((member) =>
    member.kind === "filter" ? `(${printFilterText(member)})` : printCondition(member),
  );
  if (members.length > 1) return printed.join(boolean === undefined ? ", " : ` ${boolean} `);
  return [...(boolean === undefined ? [] : [`${boolean}:`]), ...printed].join(" ");
}

function printCondition({ kind, of, value }: Exclude<FilterMember, FilterGroup>): string {
  const name = of === undefined ? "" : `${printText(of)} `;
  if (bare.includes(kind)) return name + kind;
  return `${name}${comparisonWords[kind]} ${printText(value)}`;
}

function printText(text: string): string {
  return /^[\p{L}\p{N}_.:/%+*@-]+$/u.test(text) ? text : singleQuoted(text);
}
