import type { Dialect } from "../../plugins/engines/engine.ts";
import type { Value } from "../../core/values/index.ts";
import { expressionType, type RowExpression } from "../../query/plan/index.ts";
import { double } from "./bind-value.ts";

/** Provides the SQL of columns, and binds values, returning their `$n`. */
export interface ExpressionContext {
  readonly dialect: Dialect;
  column(leaf: Extract<RowExpression, { readonly kind: "column" }>): string;
  bind(value: Value): string;
  /**
   * The expression is evaluated on another server. It then avoids COALESCE, LEAST and GREATEST, which PostgreSQL does
   * not push down.
   */
  readonly isRemote?: boolean;
}

/** The range of finite numbers; databases sort NaN above infinity. */
const [least, greatest] = ["-1.7976931348623157e308", "1.7976931348623157e308"].map(
  (text) => `cast('${text}' as ${double})`,
);

/** A condition that a float is neither infinite nor NaN. */
export function finiteSql(column: string): string {
  return `${column} between ${least} and ${greatest}`;
}

/** The SQL of an expression: BIGINT for integers, which fails on overflow, DOUBLE PRECISION for floats. */
export function expressionSql(expression: RowExpression, context: ExpressionContext): string {
  const sql = (each: RowExpression): string => expressionSql(each, context);
  const float = (each: RowExpression): string => floatSql(each, context);
  switch (expression.kind) {
    case "column":
      return context.column(expression);
    case "constant":
      return `cast(${context.bind(expression.value)} as ${expression.whole ? "bigint" : double})`;
    case "abs":
      return `abs(${float(expression.of)})`;
    case "float":
      return float(expression.of);
    case "sqrt":
      return `case when ${float(expression.of)} >= 0 then sqrt(${float(expression.of)}) end`;
    case "finite":
      return `case when ${finiteSql(float(expression.of))} then ${float(expression.of)} end`;
    case "total":
    case "product":
      return eitherSql(expression.kind === "total" ? "+" : "*", sql(expression.left), sql(expression.right), context);
    case "least":
    case "greatest":
      if (context.isRemote)
        return extremeSql(expression.kind === "least" ? "<=" : ">=", sql(expression.left), sql(expression.right));
      return `${expression.kind}(${sql(expression.left)}, ${sql(expression.right)})`;
    case "/":
      return quotientSql(expression, context);
    default:
      return expression.whole
        ? `(${sql(expression.left)} ${expression.kind} ${sql(expression.right)})`
        : `(${float(expression.left)} ${expression.kind} ${float(expression.right)})`;
  }
}

/** Like `expressionSql`, converted to a float. */
export function floatSql(expression: RowExpression, context: ExpressionContext): string {
  const sql = expressionSql(expression, context);
  const type = expressionType(expression);
  return type === "float" || type === "duration" || type === "timeofday" ? `(${sql})` : `cast(${sql} as ${double})`;
}

function eitherSql(sign: "+" | "*", left: string, right: string, { isRemote = false }: ExpressionContext): string {
  if (isRemote)
    return [
      `case when ${left} is null then ${right} when ${right} is null then ${left}`,
      `else (${left}) ${sign} (${right}) end`,
    ].join(" ");
  return `coalesce((${left}) ${sign} (${right}), ${left}, ${right})`;
}

function extremeSql(sign: "<=" | ">=", left: string, right: string): string {
  return [
    `case when ${left} is null then ${right}`,
    `when ${right} is null or ${left} ${sign} ${right} then ${left} else ${right} end`,
  ].join(" ");
}

function quotientSql(
  { left, right }: { readonly left: RowExpression; readonly right: RowExpression },
  context: ExpressionContext,
): string {
  const [dividend, divisor] = [floatSql(left, context), floatSql(right, context)];
  if (right.kind === "constant" && right.value !== 0) return `(${dividend} / ${divisor})`;
  return `case when ${divisor} <> 0 then ${dividend} / ${divisor} end`;
}
