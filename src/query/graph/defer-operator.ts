import type { OperatorElement } from "../../core/query-description.ts";
import { inColumns, tellsCommon, type Deferred } from "./deferred.ts";
import { joined } from "./joined.ts";
import { countIn } from "./operators/first.ts";
import { rowLimitOf } from "./operators/limit.ts";
import type { Surroundings } from "./operators/operator.ts";
import { applyOperator, operatorOf } from "./operators/operators.ts";
import { orderKeys } from "./operators/order.ts";
import { runSlices, wholeSlice } from "./operators/slice.ts";
import type { RowExpression } from "./row-expression.ts";
import type { RowPlan } from "./source-plan.ts";
import { parametersOf } from "./vector.ts";

/** What an operator makes of rows that stay where they are; undefined: it needs them here. Fails as the operator does. */
export function deferOperator(
  element: OperatorElement,
  inputs: readonly [Deferred, ...Deferred[]],
  surroundings: Surroundings,
): Deferred | undefined {
  const [input, second] = inputs;
  if (inputs.some(({ rows: { first } }) => first !== undefined)) return undefined;
  if (second !== undefined) return joined(element, inputs, surroundings);
  const next = (more: Partial<Deferred>): Deferred => ({
    ...input,
    shape: applyOperator(element, [input.shape], surroundings),
    operators: [...input.operators, { element, surroundings }],
    ...more,
  });
  switch (element.type ?? "null") {
    case "null":
      return next({});
    case "sort":
    case "order":
      return next({ inOrder: false });
    case "limit":
    case "abslimit":
      return tellsCommon(input) ? undefined : next({ rows: limited(element, input) });
    case "slice":
    case "oldest":
    case "latest":
      return tellsCommon(input) ? undefined : sliced(element, input, next);
    case "first":
      return tellsCommon(input) ? undefined : firstOf(element, input, next);
    default:
      return computed(element, input, next, surroundings);
  }
}

function limited(element: OperatorElement, { shape, expressions, rows }: Deferred): RowPlan {
  operatorOf(element).apply(element, [shape], {});
  const { column, sign, value, absolute } = rowLimitOf({ ...element, type: element.type ?? "" }, shape);
  const of = expressions[shape.columns.indexOf(column)];
  return of === undefined ? rows : { ...rows, limits: [...(rows.limits ?? []), { of, sign, value, absolute }] };
}

/** Rows of several sources are from no single run. What is sliced there is taken whole here. */
function sliced(
  element: OperatorElement,
  input: Deferred,
  next: (more: Partial<Deferred>) => Deferred,
): Deferred | undefined {
  const { rows, operators } = input;
  if (rows.slice !== undefined || rows.joins !== undefined) return undefined;
  const after = next({ operators: [...operators, { element: wholeSlice(element), surroundings: {} }] });
  return { ...after, rows: { ...rows, slice: { of: runSlices(element), limits: rows.limits ?? [] } } };
}

function computed(
  element: OperatorElement,
  { shape: vector, expressions }: Deferred,
  next: (more: Partial<Deferred>) => Deferred,
  surroundings: Surroundings,
): Deferred | undefined {
  const found = operatorOf(element).inDatabase?.(element, [{ vector, expressions }], surroundings);
  if (found === undefined) return undefined;
  const after = next({});
  // A parameter that a source has twice is there once in what operators make of rows that are matched.
  const before = parametersOf(vector);
  const parameters = parametersOf(after.shape).map(({ variable: { name } }) => {
    const column = before.find(({ variable }) => variable.name === name);
    return expressions[column === undefined ? -1 : vector.columns.indexOf(column)] as RowExpression;
  });
  return { ...after, expressions: inColumns(after.shape, parameters, found.results) };
}

/** Rows are in the order of the source, or in that of the operator before. */
function firstOf(
  element: OperatorElement,
  input: Deferred,
  next: (more: Partial<Deferred>) => Deferred,
): Deferred | undefined {
  const sorter = input.inOrder ? undefined : input.operators.at(-1);
  const sorts = input.operators.filter(({ element: { type } }) => type === "sort" || type === "order").length;
  if (sorter !== undefined && (sorts > 1 || sorter.element.type !== "order")) return undefined;
  const keys = sorter === undefined ? [] : orderKeys(sorter.element, input.shape);
  if (keys.some(({ column }) => column.places !== undefined)) return undefined;
  const order = keys.map(({ column, direction }) => ({
    of: input.expressions[input.shape.columns.indexOf(column)] as RowExpression,
    descending: direction < 0,
  }));
  return next({ rows: { ...input.rows, first: { count: countIn(element), order } } });
}
