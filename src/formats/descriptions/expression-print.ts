import type { Expression } from "../../core/expression.ts";

/** The expression as `parseExpression` reads it back, with no more parentheses than that takes. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "constant":
      return expression.name ?? String(expression.value);
    case "variable":
      return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(expression.name) && !["e", "pi"].includes(expression.name)
        ? expression.name
        : `"${expression.name}"`;
    case "function":
      return `${expression.name}(${expression.of.map(printExpression).join(", ")})`;
    case "negative":
      return `-${printed(expression.of, !["constant", "sum", "difference", "product", "fraction", "modulo"].includes(expression.of.kind) || "name" in expression.of)}`;
    default:
      return printOperation(expression);
  }
}

const levels = { sum: 1, difference: 1, product: 2, fraction: 2, modulo: 2, power: 4 } as const;
const operators = { sum: "+", difference: "-", product: "*", fraction: "/", modulo: "%", power: "^" } as const;

type Operation = Extract<Expression, { kind: keyof typeof levels }>;

function printOperation(operation: Operation): string {
  const [first, ...more] = "of" in operation ? operation.of : [operation.left, operation.right];
  if (!first) return "";
  const level = levels[operation.kind];
  if (operation.kind === "power")
    return `${printed(first, levelOf(first) > 4)}^${printed(operation.right, levelOf(operation.right) > 2)}`;
  const left = printed(
    first,
    levelOf(first) > level || (levelOf(first) === level && !("of" in operation && first.kind === operation.kind)),
  );
  return [left, ...more.map((each) => printed(each, levelOf(each) > level))].join(` ${operators[operation.kind]} `);
}

/** How tightly a printed expression holds together: a sign 3, an atom 5. */
function levelOf(expression: Expression): number {
  if (expression.kind === "negative") return 3;
  if (expression.kind === "constant") return expression.value < 0 ? 3 : 5;
  return expression.kind === "variable" || expression.kind === "function" ? 5 : levels[expression.kind];
}

function printed(expression: Expression, bare: boolean): string {
  return bare ? printExpression(expression) : `(${printExpression(expression)})`;
}
