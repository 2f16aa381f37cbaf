import { Failure } from "../../core/failures/index.ts";
import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { compilePattern } from "../../formats/text/index.ts";
import {
  isTextMatch,
  mapConditions,
  matchTest,
  variablesOf,
  type Condition,
  type Conditions,
  type Query,
  type TextMatch,
} from "../../query/plan/index.ts";
import { maxMembers } from "./bind-value.ts";

/** Returns the values of the first column of a query. */
export type ReadValues = (query: Query) => Promise<readonly Value[]>;

/** A pattern without special characters matches where the text occurs. */
const literal = /^[^\\.+*?()|[\]{}^$]*$/;

/** Whether conditions have patterns, which `resolvePatterns` replaces. */
export function hasPatterns({ where }: Pick<Query, "where">): boolean {
  return where.some(some);
}

function some(conditions: Conditions): boolean {
  return "junction" in conditions ? conditions.of.some(some) : isPattern(conditions.comparison);
}

function isPattern(comparison: Condition["comparison"]): comparison is "~" | "!~" | "like" {
  return isTextMatch(comparison) && comparison !== "contains" && comparison !== "lacks";
}

/**
 * Replaces patterns by conditions that all databases evaluate alike: the distinct values of the variable are tested
 * with perfkeep's own regular expression engine and listed. Fails with `pattern-error`, `query-not-possible`.
 */
export async function resolvePatterns(query: Query, read: ReadValues): Promise<Query> {
  const values = new Map<Variable, readonly Value[]>();
  for (const conditions of query.where)
    for (const variable of new Set(needed(conditions)))
      if (!values.has(variable)) values.set(variable, await read(distinctQuery(variable, query)));
  const where = query.where.map((conditions) => mapConditions(conditions, (each) => resolved(each, values)));
  return { ...query, where };
}

/** The variables whose values have to be known. */
function needed(conditions: Conditions): Variable[] {
  if ("junction" in conditions) return conditions.of.flatMap(needed);
  return literalMatch(conditions) === undefined && isPattern(conditions.comparison) ? variablesOf(conditions) : [];
}

function literalMatch({ comparison, values: [text] }: Condition): TextMatch | undefined {
  if (comparison === "like" || !isPattern(comparison) || !literal.test(String(text))) return undefined;
  return comparison === "~" ? "contains" : "lacks";
}

function distinctQuery(variable: Variable, { deleted }: Query): Query {
  const of = variable.occurrence === "multiple" ? "data" : "runs";
  const where = [{ variable, comparison: "notnull" as const, values: [] }];
  const outputs = [{ variable, source: variable }];
  return { outputs, grouped: true, where, sort: [], of, ...(deleted === undefined ? {} : { deleted }) };
}

function resolved(condition: Condition, known: ReadonlyMap<Variable, readonly Value[]>): Condition {
  const { variable, comparison, values } = condition;
  if (!isPattern(comparison)) return condition;
  const literally = literalMatch(condition);
  if (literally !== undefined) return { ...condition, comparison: literally };
  const text = String(values[0]);
  const matches = matchTest(comparison, text, (source) => {
    const pattern = compilePattern(source);
    return (value) => pattern.test(value);
  });
  const [inside, outside]: [Value[], Value[]] = [[], []];
  const all = known.get(variable) ?? [];
  for (const value of all) (matches(formatValue(value, variable.type)) ? inside : outside).push(value);
  const isShort = inside.length <= outside.length;
  const members = isShort ? inside : outside;
  if (members.length <= maxMembers) return { variable, comparison: isShort ? "in" : "not in", values: members };
  throw new Failure("query-not-possible", {
    element: variable.name,
    problem: `'${text.slice(0, 40)}' divides ${all.length} values of '${variable.name}', too many to list`,
    advice: "compare with complete values, or use contains",
  });
}
