import type { OperatorElement } from "../../../core/experiments/index.ts";
import { tableOf } from "../../../core/tables/index.ts";
import { checkMatches } from "../operators/matching.ts";
import { applyOperator } from "../operators/operators.ts";
import type { OperatorContext } from "../operators/operator.ts";
import { columnOf, type LogicalPlan, type RowExpression } from "../../plan/index.ts";
import { variableAt, type SourcePlan } from "../sources/source-plan.ts";
import { sourceVector, type SourceRows } from "../sources/source-vector.ts";
import type { Vector } from "../vector.ts";

/** Rows still in the database: those of a source with the operators on them. */
export interface Deferred {
  readonly source: SourcePlan;
  /** The remaining rows; later operators may drop some. Its columns are those of all sources. */
  readonly rows: LogicalPlan;
  /** A vector without rows, with the columns after all operators. */
  readonly shape: Vector;
  /** The expression of each column of the shape. */
  readonly expressions: readonly RowExpression[];
  /** Operators to apply when the rows are loaded. */
  readonly operators: readonly AppliedOperator[];
  /** Whether rows are in the order of the source. */
  readonly inOrder: boolean;
}

interface AppliedOperator {
  readonly element: OperatorElement;
  readonly surroundings: OperatorContext;
  /** Further inputs, already joined. */
  readonly others?: readonly Deferred[];
}

/** undefined: the source has columns that databases do not support. */
export function deferred(source: SourcePlan, rows: LogicalPlan): Deferred | undefined {
  if (source.series.length > 0) return undefined;
  const shape = sourceVector({ ...source, labels: [] }, noRows(rows));
  const expressions = source.columns.map(({ at }) => columnOf(variableAt(source, at)));
  return { source, rows, shape, expressions, operators: [], inOrder: true };
}

function noRows({ outputs }: LogicalPlan): SourceRows {
  const variables = outputs.map(({ variable }) => variable);
  return { table: tableOf(variables, []), chronology: [] };
}

/** Converts loaded rows to a vector. */
export function vectorOf({ source, operators }: Deferred, rows: SourceRows): Vector {
  let at = 0;
  const next = ({ rows: { outputs } }: SourcePlan): SourceRows => {
    const from = at;
    at += outputs.length;
    return { ...rows, table: { ...rows.table, columns: rows.table.columns.slice(from, at) } };
  };
  const first = sourceVector(source, next(source));
  return operators.reduce((vector, { element, surroundings: context, others = [] }) => {
    if (others.length > 0) checkMatches(element, rows.table.length);
    return applyOperator(element, [vector, ...others.map((each) => vectorOf(each, next(each.source)))], context);
  }, first);
}

/** Whether labels depend on a common value of all rows of the source. */
export function hasCommonLabels({ source }: Deferred): boolean {
  return source.labels.some((label) => "at" in label);
}

/** Expressions in column order, from those of parameters and of results. */
export function inColumns(
  { columns }: Vector,
  parameters: readonly RowExpression[],
  results: readonly RowExpression[],
): readonly RowExpression[] {
  const [left, right] = [[...parameters], [...results]];
  return columns.map(({ variable }) => (variable.role === "parameter" ? left.shift() : right.shift()) as RowExpression);
}
