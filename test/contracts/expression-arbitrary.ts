import fc from "fast-check";
import { expressionFunctions, type Expression, type ExpressionFunction } from "../../src/core/variables/expression.ts";

const constant: fc.Arbitrary<Expression> = fc.oneof(
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value): Expression => ({ kind: "constant", value: value + 0 })),
  fc.integer({ min: -9, max: 9 }).map((value): Expression => ({ kind: "constant", value })),
  fc.constantFrom<Expression>(
    { kind: "constant", value: Math.E, name: "e" },
    { kind: "constant", value: Math.PI, name: "pi" },
  ),
);
const variable = fc
  .constantFrom("a", "B_1", "e", "pi", "max", "odd-name.1", "\u00e4")
  .map((name): Expression => ({ kind: "variable", name }));
const functionName = fc.constantFrom(...(Object.keys(expressionFunctions) as ExpressionFunction[]));

/** Any expression that both spellings can say. */
export const expression: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>((tie) => {
  const operand = tie("expression");
  const several = fc.array(operand, { minLength: 2, maxLength: 3 });
  return {
    expression: fc.oneof(
      { maxDepth: 5, depthIdentifier: "expression", withCrossShrink: true },
      constant,
      variable,
      operand.map((of): Expression => ({ kind: "negative", of })),
      fc
        .tuple(fc.constantFrom("sum" as const, "product" as const), several)
        .map(([kind, of]): Expression => ({ kind, of })),
      fc
        .tuple(
          fc.constantFrom("difference" as const, "fraction" as const, "modulo" as const, "power" as const),
          operand,
          operand,
        )
        .map(([kind, left, right]): Expression => ({ kind, left, right })),
      fc.tuple(functionName, operand, operand).map(([name, left, right]): Expression => ({
        kind: "function",
        name,
        of: [left, right].slice(0, expressionFunctions[name]),
      })),
    ),
  };
}).expression;
