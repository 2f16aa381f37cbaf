import type { DataType } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/**
 * A computation on the values of one row with operations that are bit-exact in every engine. Integers are exact;
 * results beyond 64 bits are refused; everything else is a float. A missing operand makes the result missing.
 */
export type RowExpression =
  | {
      readonly kind: "column";
      readonly variable: Variable;
      /** 0: the source itself, otherwise the index of the joined source, from 1. */
      readonly from: number;
    }
  | { readonly kind: "constant"; readonly value: number; readonly whole: boolean }
  /**
   * `/` takes floats; a division by zero is missing. `%` takes integers, has the sign of the first, and the second is
   * not 0.
   */
  | {
      readonly kind: "+" | "-" | "*" | "/" | "%";
      readonly whole: boolean;
      readonly left: RowExpression;
      readonly right: RowExpression;
    }
  /**
   * Floats; the root of a negative number is missing. `finite`: missing unless finite; `float`: the float closest to an
   * integer.
   */
  | { readonly kind: "abs" | "sqrt" | "finite" | "float"; readonly of: RowExpression }
  /** Of two numbers of one kind; a missing one is ignored. */
  | {
      readonly kind: "total" | "product" | "least" | "greatest";
      readonly left: RowExpression;
      readonly right: RowExpression;
    };

/** The value of a variable, of the source itself or of a joined one. */
export function columnOf(variable: Variable, from = 0): RowExpression {
  return { kind: "column", variable, from };
}

/** A division whose divisor may be zero. */
export interface Quotient {
  readonly dividend: RowExpression;
  readonly divisor: RowExpression;
}

/** The type of the result. */
export function expressionType(expression: RowExpression): DataType {
  switch (expression.kind) {
    case "column":
      return expression.variable.type;
    case "constant":
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return expression.whole ? "integer" : "float";
    case "abs":
    case "sqrt":
    case "finite":
    case "float":
      return "float";
    default:
      return expressionType(expression.left);
  }
}

/** The operands of an expression, in order. */
export function operandsOf(expression: RowExpression): readonly RowExpression[] {
  if ("of" in expression) return [expression.of];
  return "left" in expression ? [expression.left, expression.right] : [];
}

/** The expression for a source that is joined at index `by`. */
export function shifted(expression: RowExpression, by: number): RowExpression {
  if (expression.kind === "column") return { ...expression, from: expression.from + by };
  if ("of" in expression) return { ...expression, of: shifted(expression.of, by) };
  if ("left" in expression)
    return { ...expression, left: shifted(expression.left, by), right: shifted(expression.right, by) };
  return expression;
}

/** The columns that the expression uses. */
export function columnsIn(expression: RowExpression): Extract<RowExpression, { readonly kind: "column" }>[] {
  return expression.kind === "column" ? [expression] : operandsOf(expression).flatMap(columnsIn);
}

/** Number of column references in the SQL text: operands that are compared before use count twice. */
export function mentions(expression: RowExpression): number {
  switch (expression.kind) {
    case "column":
    case "constant":
      return 1;
    case "/":
      return mentions(expression.left) + 2 * mentions(expression.right);
    case "abs":
    case "float":
      return mentions(expression.of);
    case "sqrt":
    case "finite":
      return 2 * mentions(expression.of);
    case "total":
    case "product":
      return 2 * (mentions(expression.left) + mentions(expression.right));
    default:
      return mentions(expression.left) + mentions(expression.right);
  }
}

export function float(kind: "+" | "-" | "*" | "/", left: RowExpression, right: RowExpression | number): RowExpression {
  return {
    kind,
    whole: false,
    left,
    right: typeof right === "number" ? { kind: "constant", value: right, whole: false } : right,
  };
}

export function whole(kind: "+" | "-" | "*" | "%", left: RowExpression, right: RowExpression | number): RowExpression {
  return {
    kind,
    whole: true,
    left,
    right: typeof right === "number" ? { kind: "constant", value: right, whole: true } : right,
  };
}
