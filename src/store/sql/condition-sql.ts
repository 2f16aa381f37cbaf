import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Predicate } from "../../query/plan/predicate.ts";
import type { RowLimit } from "../../query/plan/row-summary.ts";
import { boundContent, collated, double, isText } from "./bind-value.ts";

/** The contents that fulfil a condition on texts, looked through outside of the database; `not`: those that do not. */
export interface Membership {
  readonly not: boolean;
  readonly values: readonly Value[];
}

/** By condition, the same object as in the plan. */
export type Memberships = ReadonlyMap<Predicate, Membership>;

/** What a condition is written with. */
export interface ConditionPlace {
  readonly dialect: Engine["dialect"];
  readonly memberships: Memberships;
  /** Texts of tables sort by code point without being told to. */
  readonly sorted?: boolean;
  content(variable: Variable): string;
  /** Binds a value and says its `$n`. */
  bind(value: Value): string;
}

/** An empty junction is true for `and`, false for `or`. */
export function conditionSql(predicate: Predicate, place: ConditionPlace): string {
  if ("of" in predicate) {
    if (predicate.of.length === 0) return predicate.kind === "and" ? "true" : "false";
    return predicate.of.map((each) => `(${conditionSql(each, place)})`).join(` ${predicate.kind} `);
  }
  const { variable } = predicate;
  const content = place.content(variable);
  if (predicate.kind === "null") return `${content} is null`;
  if (predicate.kind === "notnull") return `${content} is not null`;
  if ("value" in predicate) return comparisonSql(content, predicate.kind, predicate.value, variable, place);
  return membershipSql(content, variable, place.memberships.get(predicate), place);
}

/** A content beside a value of that type. */
export function comparisonSql(
  content: string,
  sign: RowLimit["sign"],
  value: Exclude<Value, null>,
  variable: Pick<Variable, "type">,
  { dialect, bind, sorted = false }: Pick<ConditionPlace, "dialect" | "bind" | "sorted">,
): string {
  const isOrder = sign !== "=" && sign !== "<>";
  // A bound of a whole number may be a fraction.
  const isFraction = variable.type === "integer" && !Number.isInteger(Number(value));
  const bound = isFraction ? `cast(${bind(value)} as ${double})` : boundContent(value, variable, dialect, bind);
  return `${isOrder && isText(variable) && !sorted ? collated(content) : content} ${sign} ${bound}`;
}

function membershipSql(
  content: string,
  variable: Variable,
  membership: Membership | undefined,
  { dialect, bind }: ConditionPlace,
): string {
  const { not = false, values = [] } = membership ?? {};
  if (values.length === 0) return not ? `${content} is not null` : "false";
  return `${content} ${not ? "not in" : "in"} (${values.map((value) => boundContent(value, variable, dialect, bind)).join(", ")})`;
}
