import type { OperatorElement } from "../../core/query-description.ts";
import { inColumns, tellsCommon, type Deferred } from "./deferred.ts";
import { sharedLabels, sharedParameters } from "./operators/matching.ts";
import { applyOperator, operatorOf } from "./operators/operators.ts";
import type { RowsInDatabase, Surroundings } from "./operators/operator.ts";
import { expressionType, shifted, type RowExpression } from "./row-expression.ts";
import type { RowJoin } from "./source-plan.ts";
import { parametersOf, type FilterLabel, type VectorColumn } from "./vector.ts";

/**
 * What an operator makes of the rows of several sources that belong together by their parameters, joined where they are; undefined: it
 * needs them here. Joined rows are matched by their number when they come.
 */
export function joined(
  element: OperatorElement,
  inputs: readonly [Deferred, ...Deferred[]],
  surroundings: Surroundings,
): Deferred | undefined {
  const [first, ...others] = inputs;
  const isPlain =
    inputs.every((each) => each.inOrder && !tellsCommon(each)) && others.every(({ rows }) => rows.joins === undefined);
  if (!isPlain || (element.match ?? "parameter") !== "parameter") return undefined;
  const before = first.rows.joins ?? [];
  const sides = inputs.map(({ shape, expressions }, at): RowsInDatabase => ({
    vector: shape,
    expressions: at === 0 ? expressions : expressions.map((each) => shifted(each, before.length + at)),
  }));
  const joins = joinsOf(sides, others);
  const found = joins && operatorOf(element).inDatabase?.(element, sides, surroundings);
  if (joins === undefined || found === undefined) return undefined;
  const vectors = sides.map(({ vector }) => vector);
  const shape = applyOperator(element, vectors, surroundings);
  const { rows, source, operators } = first;
  return {
    source: { ...source, labels: sharedLabels(inputs.map(withLabels)) },
    rows: {
      ...rows,
      joins: [...before, ...joins],
      ...(found.quotients ? { quotients: [...(rows.quotients ?? []), found.quotients] } : {}),
    },
    shape,
    expressions: inColumns(shape, parametersOnce(sides), found.results),
    operators: [...operators, { element: { ...element, match: "index" }, surroundings, beside: others }],
    inOrder: true,
  };
}

/** undefined: some have no parameter in common with those before, or it is not the same kind of thing. */
function joinsOf(sides: readonly RowsInDatabase[], others: readonly Deferred[]): RowJoin[] | undefined {
  const joins = others.map(({ rows }, at): RowJoin => {
    const [before, own] = [sides.slice(0, at + 1), sides[at + 1] as RowsInDatabase];
    const shared = sharedParameters(
      before.map(({ vector }) => vector),
      own.vector,
    );
    return {
      rows,
      on: shared.map(({ input, before: column, own: other }) => ({
        before: expressionOf(before[input] as RowsInDatabase, column),
        own: expressionOf(own, other),
      })),
    };
  });
  const isSound = joins.every(({ on }) => on.length > 0 && on.every(({ before, own }) => areComparable(before, own)));
  return isSound ? joins : undefined;
}

function areComparable(before: RowExpression, own: RowExpression): boolean {
  return expressionType(before) === expressionType(own) && expressionType(own) !== "binary";
}

function expressionOf({ vector, expressions }: RowsInDatabase, column: VectorColumn): RowExpression {
  return expressions[vector.columns.indexOf(column)] as RowExpression;
}

/** Of the parameters that several inputs have, the first. */
function parametersOnce(sides: readonly RowsInDatabase[]): RowExpression[] {
  const found = new Map<string, RowExpression>();
  for (const side of sides)
    for (const column of parametersOf(side.vector))
      if (!found.has(column.variable.name)) found.set(column.variable.name, expressionOf(side, column));
  return [...found.values()];
}

function withLabels({ source, shape }: Deferred): Deferred["shape"] {
  const labels = source.labels.flatMap((label): FilterLabel[] => ("text" in label ? [label] : []));
  return { ...shape, labels: [...labels, ...shape.labels] };
}
