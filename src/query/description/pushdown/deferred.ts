import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import { tableOf } from "../../../core/tables/table-builder.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { checkMatches } from "../operators/matching.ts";
import { applyOperator } from "../operators/operators.ts";
import type { OperatorContext } from "../operators/operator.ts";
import type { RowExpression } from "../../plan/row-expression.ts";
import type { RowPlan, SourcePlan } from "../sources/source-plan.ts";
import { sourceVector, type SourceRows } from "../sources/source-vector.ts";
import type { Vector } from "../vector.ts";

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
  readonly operators: readonly AppliedOperator[];
  /** Whether rows stand in the order of the source. */
  readonly inOrder: boolean;
}

interface AppliedOperator {
  readonly element: OperatorElement;
  readonly surroundings: OperatorContext;
  /** Further inputs, whose rows are joined already. */
  readonly beside?: readonly Deferred[];
}

/** undefined: the source has columns that no database knows. */
export function deferred(source: SourcePlan, rows: RowPlan): Deferred | undefined {
  if (source.series.length > 0) return undefined;
  const shape = sourceVector({ ...source, labels: [] }, noRows(rows));
  const expressions = source.columns.map(({ at }): RowExpression => ({
    kind: "content",
    variable: rows.variables[at] as Variable,
    from: 0,
  }));
  return { source, rows, shape, expressions, operators: [], inOrder: true };
}

const run: Variable = { name: "run", role: "parameter", occurrence: "once", type: "integer" };

function noRows({ variables }: RowPlan): SourceRows {
  return { table: tableOf([run, ...variables], []), chronology: [] };
}

/** The rows as vectors hold them. */
export function vectorOf({ source, operators }: Deferred, rows: SourceRows): Vector {
  let at = 0;
  const next = ({ rows: { variables } }: SourcePlan): SourceRows => {
    const from = at;
    at += 1 + variables.length;
    return { ...rows, table: { ...rows.table, columns: rows.table.columns.slice(from, at) } };
  };
  const first = sourceVector(source, next(source));
  return operators.reduce((vector, { element, surroundings, beside = [] }) => {
    if (beside.length > 0) checkMatches(element, rows.table.length);
    return applyOperator(element, [vector, ...beside.map((each) => vectorOf(each, next(each.source)))], surroundings);
  }, first);
}

/** Labels tell what all rows of the source share, whatever is left of them later. */
export function tellsCommon({ source }: Deferred): boolean {
  return source.labels.some((label) => "at" in label);
}

/** Expressions parallel to the columns of a vector, from those of its parameters and those of its results. */
export function inColumns(
  { columns }: Vector,
  parameters: readonly RowExpression[],
  results: readonly RowExpression[],
): readonly RowExpression[] {
  const [left, right] = [[...parameters], [...results]];
  return columns.map(({ variable }) => (variable.role === "parameter" ? left.shift() : right.shift()) as RowExpression);
}
