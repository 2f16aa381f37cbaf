import type { OperatorElement } from "../../core/query-description.ts";
import { tableOf } from "../../core/table-builder.ts";
import type { Variable } from "../../core/variable.ts";
import { rowLimitOf } from "./operators/limit.ts";
import { countIn } from "./operators/first.ts";
import { applyOperator, operatorOf } from "./operators/operators.ts";
import { orderKeys } from "./operators/order.ts";
import type { Surroundings } from "./operators/operator.ts";
import { stepOf } from "./operators/shift.ts";
import type { RowExpression } from "./row-summary.ts";
import type { RowPlan, SourcePlan } from "./source-plan.ts";
import { sourceVector, type SourceRows } from "./source-vector.ts";
import type { Vector } from "./vector.ts";

/** Rows that have not left the database yet: those of a source, and what operators behind it make of them. */
export interface Deferred {
  readonly source: SourcePlan;
  /** The rows that are left, of which some may be kept back by the operators. */
  readonly rows: RowPlan;
  /** Without any row; the columns are those that the operators have made. */
  readonly shape: Vector;
  /** What the columns hold, parallel to those of the shape. */
  readonly expressions: readonly RowExpression[];
  /** Operators that are to be applied when the rows are there. */
  readonly operators: readonly { readonly element: OperatorElement; readonly surroundings: Surroundings }[];
  /** Whether rows stand in the order of the source. */
  readonly inOrder: boolean;
}

/** undefined: the source has columns that no database knows. */
export function deferred(source: SourcePlan, rows: RowPlan): Deferred | undefined {
  if (source.series.length > 0) return undefined;
  const shape = sourceVector({ ...source, labels: [] }, noRows(rows));
  const expressions = source.columns.map(({ at }) => ({ variable: rows.variables[at] as Variable, steps: [] }));
  return { source, rows, shape, expressions, operators: [], inOrder: true };
}

function noRows({ variables }: RowPlan): SourceRows {
  const run: Variable = { name: "run", role: "parameter", occurrence: "once", type: "integer" };
  return { table: tableOf([run, ...variables], []), chronology: [] };
}

/** The rows as vectors hold them. */
export function vectorOf({ source, operators }: Deferred, rows: SourceRows): Vector {
  return operators.reduce(
    (vector, { element, surroundings }) => applyOperator(element, [vector], surroundings),
    sourceVector(source, rows),
  );
}

/** What an operator makes of rows that stay where they are; undefined: it needs them here. Fails as the operator does. */
export function deferOperator(element: OperatorElement, input: Deferred, surroundings: Surroundings): Deferred | undefined {
  if (input.rows.first !== undefined) return undefined;
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
    case "scale":
    case "offset":
      return changed(element, input, next);
    case "first":
      return tellsCommon(input) ? undefined : firstOf(element, input, next);
    default:
      return undefined;
  }
}

/** Labels tell what all rows of the source share, whatever is left of them later. */
function tellsCommon({ source }: Deferred): boolean {
  return source.labels.some((label) => "at" in label);
}

function limited(element: OperatorElement, { shape, expressions, rows }: Deferred): RowPlan {
  operatorOf(element).apply(element, [shape], {});
  const { column, sign, value, absolute } = rowLimitOf({ ...element, type: element.type ?? "" }, shape);
  const of = expressions[shape.columns.indexOf(column)];
  return of === undefined ? rows : { ...rows, limits: [...(rows.limits ?? []), { of, sign, value, absolute }] };
}

/** Floats only: of whole numbers too large ones have to be refused. */
function changed(
  element: OperatorElement,
  { shape, expressions }: Deferred,
  next: (more: Partial<Deferred>) => Deferred,
): Deferred | undefined {
  const step = stepOf(element);
  const results = shape.columns.filter(({ variable }) => variable.role === "result");
  if (step === undefined || results.some(({ variable }) => variable.type !== "float")) return undefined;
  const after = shape.columns.map((column, at) => {
    const { variable, steps } = expressions[at] as RowExpression;
    return column.variable.role === "result" ? { variable, steps: [...steps, step] } : { variable, steps };
  });
  return next({ expressions: after });
}

/** Rows are in the order of the source, or in that of the operator before. */
function firstOf(element: OperatorElement, input: Deferred, next: (more: Partial<Deferred>) => Deferred): Deferred | undefined {
  const sorter = input.inOrder ? undefined : input.operators.at(-1);
  const sorts = input.operators.filter(({ element: { type } }) => type === "sort" || type === "order").length;
  if (sorter !== undefined && (sorts > 1 || sorter.element.type !== "order")) return undefined;
  const keys = sorter === undefined ? [] : orderKeys(sorter.element, input.shape);
  const order = keys.map(({ column, direction }) => ({
    of: input.expressions[input.shape.columns.indexOf(column)] as RowExpression,
    descending: direction < 0,
  }));
  return next({ rows: { ...input.rows, first: { count: countIn(element), order } } });
}
