import { Failure } from "../../core/failures/index.ts";
import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { compilePattern } from "../../formats/text/index.ts";
import { mapPredicate, textTest, type CompilePattern, type Predicate } from "../../query/plan/index.ts";
import { maxMembers } from "./bind-value.ts";

/** Returns the distinct values of a variable. */
export type ReadValues = (variable: Variable) => Promise<readonly Value[]>;

export const compileRegex: CompilePattern = (source) => {
  const pattern = compilePattern(source);
  return (text) => pattern.test(text);
};

/** A pattern without special characters matches where the text occurs. */
const literal = /^[^\\.+*?()|[\]{}^$]*$/;

type TextCondition = Extract<Predicate, { readonly text: string }>;

/** Whether a predicate has patterns, which `resolvePatterns` replaces. */
export function hasPatterns(predicate: Predicate): boolean {
  return "of" in predicate ? predicate.of.some(hasPatterns) : isPattern(predicate);
}

function isPattern(predicate: Predicate): predicate is TextCondition {
  return "text" in predicate && predicate.kind !== "contain" && predicate.kind !== "notcontain";
}

/**
 * Replaces patterns by conditions that all databases evaluate alike: the distinct values of the variable are tested
 * with perfkeep's own regular expression engine, in linear time, and listed. Reads the values of a variable once. Fails
 * with `pattern-error`, `query-not-possible`.
 */
export async function resolvePatterns(predicates: readonly Predicate[], read: ReadValues): Promise<Predicate[]> {
  const values = new Map<Variable, readonly Value[]>();
  for (const variable of new Set(predicates.flatMap(needed))) values.set(variable, await read(variable));
  return predicates.map((predicate) => mapPredicate(predicate, (each) => resolved(each, values)));
}

/** The variables whose values have to be known. */
function needed(predicate: Predicate): Variable[] {
  if ("of" in predicate) return predicate.of.flatMap(needed);
  return isPattern(predicate) && literalMatch(predicate) === undefined ? [predicate.variable] : [];
}

function literalMatch({ kind, text }: TextCondition): "contain" | "notcontain" | undefined {
  if (kind === "like" || !literal.test(text)) return undefined;
  return kind === "regexp" ? "contain" : "notcontain";
}

function resolved(predicate: Predicate, known: ReadonlyMap<Variable, readonly Value[]>): Predicate {
  if (!isPattern(predicate)) return predicate;
  const literally = literalMatch(predicate);
  if (literally !== undefined) return { ...predicate, kind: literally };
  const { kind, variable, text } = predicate;
  const matches = textTest(kind, text, compileRegex);
  const [inside, outside]: [Value[], Value[]] = [[], []];
  const all = known.get(variable) ?? [];
  for (const value of all) (matches(formatValue(value, variable.type)) ? inside : outside).push(value);
  const isShort = inside.length <= outside.length;
  const members = isShort ? inside : outside;
  if (members.length <= maxMembers) return { kind: isShort ? "in" : "notin", variable, values: members };
  throw new Failure("query-not-possible", {
    element: variable.name,
    problem: `'${text.slice(0, 40)}' divides ${all.length} values of '${variable.name}', too many to list`,
    advice: "compare with complete values, or use contains",
  });
}
