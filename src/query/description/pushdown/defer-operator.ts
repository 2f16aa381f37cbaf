import type { OperatorElement } from "../../../core/experiments/index.ts";
import { inColumns, hasCommonLabels, type Deferred } from "./deferred.ts";
import { countIn } from "../operators/first.ts";
import { rowLimitOf } from "../operators/limit.ts";
import { sharedFilterLabels, sharedParameters } from "../operators/matching.ts";
import type { OperatorContext, RowsInDatabase } from "../operators/operator.ts";
import { applyOperator, operatorOf } from "../operators/operators.ts";
import { orderKeys } from "../operators/order.ts";
import { runSlices, wholeSlice } from "../operators/run-operators.ts";
import {
  chronologyVariable,
  columnOf,
  expressionType,
  type JoinedRows,
  type LogicalPlan,
  type RowExpression,
  type RowLimit,
  shifted,
} from "../../plan/index.ts";
import { parametersOf, type FilterLabel, type VectorColumn } from "../vector.ts";

/** Pushes an operator down to deferred rows; undefined: needs the rows. Fails like the operator. */
export function deferOperator(
  element: OperatorElement,
  inputs: readonly [Deferred, ...Deferred[]],
  context: OperatorContext,
): Deferred | undefined {
  const [input, second] = inputs;
  if (inputs.some(({ rows: { limit } }) => limit !== undefined)) return undefined;
  if (second !== undefined) return joined(element, inputs, context);
  const next = (more: Partial<Deferred>): Deferred => ({
    ...input,
    shape: applyOperator(element, [input.shape], context),
    operators: [...input.operators, { element, surroundings: context }],
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
      return hasCommonLabels(input) ? undefined : next({ rows: limited(element, input) });
    case "slice":
    case "oldest":
    case "latest":
      return hasCommonLabels(input) ? undefined : sliced(element, input, next);
    case "first":
      return hasCommonLabels(input) ? undefined : firstOf(element, input, next);
    default:
      return computed(element, input, next, context);
  }
}

function limited(element: OperatorElement, { shape, expressions, rows }: Deferred): LogicalPlan {
  operatorOf(element).apply(element, [shape], {});
  const { column, sign, value, absolute } = rowLimitOf({ ...element, type: element.type ?? "" }, shape);
  const of = expressions[shape.columns.indexOf(column)];
  return of === undefined ? rows : { ...rows, limits: [...(rows.limits ?? []), { of, sign, value, absolute }] };
}

/** Joined rows have no single run. The operator applied later takes the complete slice. */
function sliced(
  element: OperatorElement,
  input: Deferred,
  next: (more: Partial<Deferred>) => Deferred,
): Deferred | undefined {
  const { rows, operators } = input;
  if (rows.slice !== undefined || typeof rows.of !== "string") return undefined;
  const by = chronologyVariable(input.source.element.chronology ?? "created");
  const after = next({ operators: [...operators, { element: wholeSlice(element), surroundings: {} }] });
  return { ...after, rows: { ...rows, slice: { of: runSlices(element), by, limits: rows.limits ?? [] } } };
}

function computed(
  element: OperatorElement,
  { shape: vector, expressions }: Deferred,
  next: (more: Partial<Deferred>) => Deferred,
  context: OperatorContext,
): Deferred | undefined {
  const found = operatorOf(element).inDatabase?.(element, [{ vector, expressions }], context);
  if (found === undefined) return undefined;
  const after = next({});
  // Operators on matched rows keep duplicate parameters once.
  const before = parametersOf(vector);
  const parameters = parametersOf(after.shape).map(({ variable: { name } }) => {
    const column = before.find(({ variable }) => variable.name === name);
    return expressions[column === undefined ? -1 : vector.columns.indexOf(column)] as RowExpression;
  });
  return { ...after, expressions: inColumns(after.shape, parameters, found.results) };
}

/** Rows are in the order of the source, or of the previous operator. */
function firstOf(
  element: OperatorElement,
  input: Deferred,
  next: (more: Partial<Deferred>) => Deferred,
): Deferred | undefined {
  const sorter = input.inOrder ? undefined : input.operators.at(-1);
  const sorts = input.operators.filter(({ element: { type } }) => type === "sort" || type === "order").length;
  if (sorter !== undefined && (sorts > 1 || sorter.element.type !== "order")) return undefined;
  const keys = sorter === undefined ? [] : orderKeys(sorter.element, input.shape);
  if (keys.some(({ column }) => column.positions !== undefined)) return undefined;
  const order = keys.map(({ column, direction }) => ({
    of: input.expressions[input.shape.columns.indexOf(column)] as RowExpression,
    descending: direction < 0,
  }));
  const { rows } = input;
  return next({ rows: { ...rows, order: [...order, ...(rows.order ?? [])], limit: countIn(element) } });
}

/**
 * Pushes an operator on several sources down as a join by their common parameters; undefined: needs the rows. Joined
 * rows are matched by index when loaded.
 */
function joined(
  element: OperatorElement,
  inputs: readonly [Deferred, ...Deferred[]],
  context: OperatorContext,
): Deferred | undefined {
  const [first, ...others] = inputs;
  const isPlain =
    inputs.every((each) => each.inOrder && !hasCommonLabels(each)) &&
    others.every(({ rows }) => typeof rows.of === "string");
  if (!isPlain || (element.match ?? "parameter") !== "parameter") return undefined;
  const before = joinedRows(first.rows);
  const sides = inputs.map(({ shape, expressions }, at): RowsInDatabase => ({
    vector: shape,
    expressions: at === 0 ? expressions : expressions.map((each) => shifted(each, before.plans.length - 1 + at)),
  }));
  const on = pairsOf(sides, others);
  const found = on && operatorOf(element).inDatabase?.(element, sides, context);
  if (on === undefined || found === undefined) return undefined;
  const vectors = sides.map(({ vector }) => vector);
  const shape = applyOperator(element, vectors, context);
  const { rows, source, operators } = first;
  return {
    source: { ...source, labels: sharedFilterLabels(inputs.map(withLabels)) },
    rows: joinedPlan(
      {
        plans: [...before.plans, ...others.map((each) => each.rows)],
        on: [...before.on, ...on],
        quotients: [...before.quotients, ...(found.quotients ? [found.quotients] : [])],
      },
      typeof rows.of === "string" ? [] : (rows.limits ?? []),
    ),
    shape,
    expressions: inColumns(shape, parametersOnce(sides), found.results),
    operators: [...operators, { element: { ...element, match: "index" }, surroundings: context, others }],
    inOrder: true,
  };
}

/** The joined plans; of a single source, the source. */
function joinedRows(rows: LogicalPlan): JoinedRows {
  return typeof rows.of === "string" ? { plans: [rows], on: [], quotients: [] } : rows.of;
}

/** All columns of the joined plans, in their order. */
function joinedPlan(of: JoinedRows, limits: readonly RowLimit[]): LogicalPlan {
  const outputs = of.plans.flatMap((plan, from) =>
    plan.outputs.map(({ variable }) => ({ variable, of: columnOf(variable, from) })),
  );
  return { of, where: [], limits, outputs, grouped: false, sort: [] };
}

/** undefined: some have no common parameters, or of different types. */
function pairsOf(sides: readonly RowsInDatabase[], others: readonly Deferred[]): JoinedRows["on"] | undefined {
  const joins = others.map((_, at): JoinedRows["on"][number] => {
    const [before, own] = [sides.slice(0, at + 1), sides[at + 1] as RowsInDatabase];
    const shared = sharedParameters(
      before.map(({ vector }) => vector),
      own.vector,
    );
    return shared.map(({ input, before: column, own: other }) => ({
      before: expressionOf(before[input] as RowsInDatabase, column),
      own: expressionOf(own, other),
    }));
  });
  const isSound = joins.every((on) => on.length > 0 && on.every(({ before, own }) => areComparable(before, own)));
  return isSound ? joins : undefined;
}

function areComparable(before: RowExpression, own: RowExpression): boolean {
  return expressionType(before) === expressionType(own) && expressionType(own) !== "binary";
}

function expressionOf({ vector, expressions }: RowsInDatabase, column: VectorColumn): RowExpression {
  return expressions[vector.columns.indexOf(column)] as RowExpression;
}

/** Parameters of several inputs, each once, from the first input. */
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
