import type { Expression } from "../../../core/variables/expression.ts";
import { float, mentions, type RowExpression } from "../../plan/row-expression.ts";

/** Longer terms are written out so often that a statement is no place for them. */
const mostMentions = 200;

/**
 * A term as databases compute it, to the last bit as `evaluate` does: sums, differences, products, fractions, roots and
 * sizes. undefined: for other functions, whose last digits are the library's, and for terms that are too long.
 */
export function expressionThere(
  expression: Expression,
  content: (name: string) => RowExpression | undefined,
): RowExpression | undefined {
  const found = partThere(expression, content);
  if (found === undefined) return undefined;
  const isComputed = expression.kind !== "variable" && expression.kind !== "constant";
  const result: RowExpression = isComputed ? { kind: "finite", of: found } : { kind: "float", of: found };
  return mentions(result) > mostMentions ? undefined : result;
}

/**
 * What is not finite stays so through sums, products and dividends, and is looked for at the end; only as a divisor it
 * would be lost.
 */
function partThere(
  expression: Expression,
  content: (name: string) => RowExpression | undefined,
): RowExpression | undefined {
  const part = (each: Expression): RowExpression | undefined => partThere(each, content);
  switch (expression.kind) {
    case "constant":
      return { kind: "constant", value: expression.value, whole: false };
    case "variable":
      return content(expression.name);
    case "negative":
      return binary("-", [{ kind: "constant", value: 0, whole: false }, part(expression.of)]);
    case "sum":
      return binary("+", expression.of.map(part));
    case "product":
      return binary("*", expression.of.map(part));
    case "difference":
      return binary("-", [part(expression.left), part(expression.right)]);
    case "fraction":
      return binary("/", [part(expression.left), divisor(expression.right, part(expression.right))]);
    case "function":
      return functionThere(expression, part);
    default:
      return undefined;
  }
}

function divisor({ kind }: Expression, found: RowExpression | undefined): RowExpression | undefined {
  return found === undefined || kind === "variable" || kind === "constant" ? found : { kind: "finite", of: found };
}

function binary(
  kind: "+" | "-" | "*" | "/",
  operands: readonly (RowExpression | undefined)[],
): RowExpression | undefined {
  return operands.reduce((left, right) => left && right && float(kind, left, right));
}

function functionThere(
  { name, of: [only] }: Extract<Expression, { readonly kind: "function" }>,
  part: (each: Expression) => RowExpression | undefined,
): RowExpression | undefined {
  const of = only && part(only);
  if (of === undefined) return undefined;
  if (name === "abs" || name === "fabs") return { kind: "abs", of };
  return name === "sqrt" ? { kind: "sqrt", of } : undefined;
}
