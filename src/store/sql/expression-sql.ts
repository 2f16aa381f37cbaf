import type { Value } from "../../core/values/value.ts";
import { expressionType, type RowExpression } from "../../query/plan/row-expression.ts";
import { double } from "./bind-value.ts";

/** How contents are written, and what binds a value and says its `$n`. */
export interface Written {
  content(leaf: Extract<RowExpression, { readonly kind: "content" }>): string;
  bind(value: Value): string;
  /**
   * It is sent to another server: then it has neither COALESCE nor LEAST nor GREATEST, which stay here together with
   * the rows.
   */
  readonly isSent?: boolean;
}

/** All numbers between these are finite; databases have NaN above infinity. */
const [least, greatest] = ["-1.7976931348623157e308", "1.7976931348623157e308"].map(
  (text) => `cast('${text}' as ${double})`,
);

/** That a float is neither infinite nor NaN. */
export function finiteSql(content: string): string {
  return `${content} between ${least} and ${greatest}`;
}

/** The SQL of an expression; of whole numbers a BIGINT that is refused beyond 64 bits, of floats a DOUBLE PRECISION. */
export function expressionSql(expression: RowExpression, written: Written): string {
  const sql = (each: RowExpression): string => expressionSql(each, written);
  const float = (each: RowExpression): string => floatSql(each, written);
  switch (expression.kind) {
    case "content":
      return written.content(expression);
    case "constant":
      return `cast(${written.bind(expression.value)} as ${expression.whole ? "bigint" : double})`;
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
      return eitherSql(expression.kind === "total" ? "+" : "*", sql(expression.left), sql(expression.right), written);
    case "least":
    case "greatest":
      if (written.isSent)
        return extremeSql(expression.kind === "least" ? "<=" : ">=", sql(expression.left), sql(expression.right));
      return `${expression.kind}(${sql(expression.left)}, ${sql(expression.right)})`;
    case "/":
      return quotientSql(expression, written);
    default:
      return expression.whole
        ? `(${sql(expression.left)} ${expression.kind} ${sql(expression.right)})`
        : `(${float(expression.left)} ${expression.kind} ${float(expression.right)})`;
  }
}

/** The same as a float. */
export function floatSql(expression: RowExpression, written: Written): string {
  const sql = expressionSql(expression, written);
  const type = expressionType(expression);
  return type === "float" || type === "duration" || type === "timeofday" ? `(${sql})` : `cast(${sql} as ${double})`;
}

function eitherSql(sign: "+" | "*", left: string, right: string, { isSent = false }: Written): string {
  if (isSent)
    return `case when ${left} is null then ${right} when ${right} is null then ${left} else (${left}) ${sign} (${right}) end`;
  return `coalesce((${left}) ${sign} (${right}), ${left}, ${right})`;
}

function extremeSql(sign: "<=" | ">=", left: string, right: string): string {
  return `case when ${left} is null then ${right} when ${right} is null or ${left} ${sign} ${right} then ${left} else ${right} end`;
}

function quotientSql(
  { left, right }: { readonly left: RowExpression; readonly right: RowExpression },
  written: Written,
): string {
  const [dividend, divisor] = [floatSql(left, written), floatSql(right, written)];
  if (right.kind === "constant" && right.value !== 0) return `(${dividend} / ${divisor})`;
  return `case when ${divisor} <> 0 then ${dividend} / ${divisor} end`;
}
