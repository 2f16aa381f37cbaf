import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import type { Predicate, RowLimit } from "../../query/plan/index.ts";
import { collated, double, isText } from "./bind-value.ts";
import { boundValueSql } from "../schema/index.ts";

/** The values that satisfy a text condition, evaluated outside of the database; with `not`, those that do not. */
export interface Membership {
  readonly not: boolean;
  readonly values: readonly Value[];
}

/** By condition; keys are the objects of the plan. */
export type Memberships = ReadonlyMap<Predicate, Membership>;

/** The SQL context of a condition. */
export interface ConditionContext {
  readonly dialect: Dialect;
  readonly memberships: Memberships;
  /** Text columns sort by code point without a collation. */
  readonly sortsByCodePoint?: boolean;
  column(variable: Variable): string;
  /** Binds a value and returns its `$n`. */
  bind(value: Value): string;
}

/** An empty junction is true for `and`, false for `or`. */
export function conditionSql(predicate: Predicate, context: ConditionContext): string {
  if ("of" in predicate) {
    if (predicate.of.length === 0) return predicate.kind === "and" ? "true" : "false";
    return predicate.of.map((each) => `(${conditionSql(each, context)})`).join(` ${predicate.kind} `);
  }
  const { variable } = predicate;
  const column = context.column(variable);
  if (predicate.kind === "null") return `${column} is null`;
  if (predicate.kind === "notnull") return `${column} is not null`;
  if ("value" in predicate) return comparisonSql(column, predicate.kind, predicate.value, variable, context);
  return membershipSql(column, variable, context.memberships.get(predicate), context);
}

/** Compares a column with a value of its type. */
export function comparisonSql(
  column: string,
  sign: RowLimit["sign"],
  value: Exclude<Value, null>,
  variable: Pick<Variable, "type">,
  { dialect, bind, sortsByCodePoint = false }: Pick<ConditionContext, "dialect" | "bind" | "sortsByCodePoint">,
): string {
  const isOrder = sign !== "=" && sign !== "<>";
  // An integer may be compared with a fraction.
  const isFraction = variable.type === "integer" && !Number.isInteger(Number(value));
  const bound = isFraction ? `cast(${bind(value)} as ${double})` : boundValueSql(value, variable, dialect, bind);
  return `${isOrder && isText(variable) && !sortsByCodePoint ? collated(column) : column} ${sign} ${bound}`;
}

function membershipSql(
  column: string,
  variable: Variable,
  membership: Membership | undefined,
  { dialect, bind }: ConditionContext,
): string {
  const { not = false, values = [] } = membership ?? {};
  if (values.length === 0) return not ? `${column} is not null` : "false";
  const list = values.map((value) => boundValueSql(value, variable, dialect, bind)).join(", ");
  return `${column} ${not ? "not in" : "in"} (${list})`;
}
