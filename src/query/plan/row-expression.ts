import type { DataType } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";

/**
 * What is computed of the contents of one row, by operations that every engine does to the last bit as we do. Whole
 * numbers are exact, and what is beyond 64 bits is refused; everything else is a float. Of a missing content nothing is
 * computed.
 */
export type RowExpression =
  | {
      readonly kind: "content";
      readonly variable: Variable;
      /** 0: of the source itself, otherwise of the so manieth that is joined to it. */
      readonly from: number;
    }
  | { readonly kind: "constant"; readonly value: number; readonly whole: boolean }
  /**
   * `/` is of floats; of a division by zero nothing comes. `%` is of whole numbers; it has the sign of the first, and
   * the second is not 0.
   */
  | {
      readonly kind: "+" | "-" | "*" | "/" | "%";
      readonly whole: boolean;
      readonly left: RowExpression;
      readonly right: RowExpression;
    }
  /**
   * Floats; of less than zero there is no root. `finite`: what is not finite is missing; `float`: the number nearest to
   * a whole one.
   */
  | { readonly kind: "abs" | "sqrt" | "finite" | "float"; readonly of: RowExpression }
  /** Of two numbers of one kind; a missing one is passed over. */
  | {
      readonly kind: "total" | "product" | "least" | "greatest";
      readonly left: RowExpression;
      readonly right: RowExpression;
    };

/** What may turn out to be a division by zero. */
export interface Quotient {
  readonly dividend: RowExpression;
  readonly divisor: RowExpression;
}

/** The type of what is computed; that of contents is the variable's. */
export function expressionType(expression: RowExpression): DataType {
  switch (expression.kind) {
    case "content":
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

/** The expression of contents of a source that is joined as the so manieth. */
export function shifted(expression: RowExpression, by: number): RowExpression {
  switch (expression.kind) {
    case "content":
      return { ...expression, from: expression.from + by };
    case "constant":
      return expression;
    case "abs":
    case "sqrt":
    case "finite":
    case "float":
      return { ...expression, of: shifted(expression.of, by) };
    default:
      return { ...expression, left: shifted(expression.left, by), right: shifted(expression.right, by) };
  }
}

/** The variables whose contents it is computed of. */
export function contentsIn(expression: RowExpression): Extract<RowExpression, { readonly kind: "content" }>[] {
  switch (expression.kind) {
    case "content":
      return [expression];
    case "constant":
      return [];
    case "abs":
    case "sqrt":
    case "finite":
    case "float":
      return contentsIn(expression.of);
    default:
      return [...contentsIn(expression.left), ...contentsIn(expression.right)];
  }
}

/** How often contents are mentioned where it is written out: what is compared before it is used is mentioned again. */
export function mentions(expression: RowExpression): number {
  switch (expression.kind) {
    case "content":
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
