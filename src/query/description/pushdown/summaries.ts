import { isPlain, constantColumn, valueAt } from "../../../core/tables/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { countAt, labelsOf, plainColumn, type CommonLabel } from "./group-labels.ts";
import { hasCommonLabels, vectorOf, type Deferred } from "./deferred.ts";
import { aggregate } from "../operators/aggregate.ts";
import type { Aggregate } from "../operators/aggregates.ts";
import { applyOperator, operatorOf, renamed } from "../operators/operators.ts";
import { type RowExpression, summaryOf, type Summary } from "../../plan/index.ts";
import type { SourceRows } from "../sources/source-vector.ts";
import { statisticColumns, summarizedStatistics, type StatisticColumn } from "../operators/statistics.ts";
import type { RowPlan } from "../sources/source-plan.ts";
import { parametersOf, resultsOf, type Vector, type VectorColumn } from "../vector.ts";

/** A grouping in the database: its row plan, and the conversion of its result. */
export interface Summarized {
  readonly rows: RowPlan;
  /** undefined: needs the rows. */
  vectorOf(answer: SourceRows): Vector | undefined;
}

/** Pushes an aggregate down; undefined: needs the rows. Fails like the operator. */
export function aggregateOf(
  element: OperatorElement,
  input: Deferred,
  common: CommonLabel[],
  needsRuns: boolean,
): Summarized | undefined {
  const operator = operatorOf(element);
  const of = operator.aggregateOf?.(element);
  if (of?.summary === undefined) return undefined;
  const { summary } = of;
  operator.apply(element, [input.shape], {});
  const isExtreme = of.row !== undefined;
  const isGrouped = element.scope !== "run" && input.shape.from === "source";
  if (isExtreme && (needsRuns || (!isGrouped && parametersOf(input.shape).length > 0)))
    return isGrouped || element.scope === "run" ? undefined : extremeRow(element, input, summary.kind === "max");
  // Runs are in order of their first rows; joined rows may have several runs.
  if (element.scope === "run" && (!input.inOrder || input.rows.joins !== undefined)) return undefined;
  const keys = isGrouped ? keysOf(input) : [];
  const columns = resultExpressions(input).map((expression) => ({ of: expression, aggregate: summary }));
  const rows: RowPlan = {
    ...input.rows,
    summary: { by: element.scope === "run" ? "run" : keys, columns, common: common.map(({ variable }) => variable) },
  };
  return {
    rows,
    vectorOf(answer) {
      const groups = groupsOf(input, answer, isGrouped && keys.length > 0 ? keys.length : 0, common);
      return renamed(element, input.shape, aggregate(inDatabase(of), element, groups));
    },
  };
}

/** The row of an extreme: the first in order of the only result. */
function extremeRow(element: OperatorElement, input: Deferred, descending: boolean): Summarized | undefined {
  const [of, second] = resultExpressions(input);
  if (of === undefined || second !== undefined || !input.inOrder || hasCommonLabels(input)) return undefined;
  return {
    rows: { ...input.rows, first: { count: 1, order: [{ of, descending }] } },
    vectorOf: (answer) => applyOperator(element, [vectorOf(input, answer)]),
  };
}

/** The expressions of parameters. */
function keysOf({ shape, expressions }: Deferred): RowExpression[] {
  return shape.columns.flatMap((column, at) =>
    column.variable.role === "parameter" ? [expressions[at] as RowExpression] : [],
  );
}

function resultExpressions({ shape, expressions }: Deferred): RowExpression[] {
  return shape.columns.flatMap((column, at) =>
    column.variable.role === "result" ? [expressions[at] as RowExpression] : [],
  );
}

/** An aggregate of values that the database has already aggregated. */
function inDatabase({ row: _, ...of }: Aggregate): Aggregate {
  const isOfType = of.summary?.kind === "min" || of.summary?.kind === "max" || of.summary?.kind === "rank";
  return {
    ...of,
    compute: ({ column, variable }, rows) => {
      const [row] = Array.from(rows);
      if (row === undefined) return of.name === "count" ? 0 : null;
      return valueAt(column, row, isOfType ? variable.type : column.kind === "text" ? "string" : "float");
    },
  };
}

/** One row per group, with the run, the group keys, and the aggregates as results. */
function groupsOf(
  input: Deferred,
  { table, chronology }: SourceRows,
  keys: number,
  common: readonly CommonLabel[],
): Vector {
  const { shape } = input;
  const [run, ...columns] = table.columns;
  const parameters = parametersOf(shape);
  const results = resultsOf(shape);
  const at = (position: number): VectorColumn["column"] => plainColumn(columns[position], table.length);
  // All rows are one group, even none.
  const isEmpty = keys === 0 && table.length === 1 && countAt(columns.at(-1), 0) === 0;
  const length = isEmpty ? 0 : table.length;
  return {
    ...shape,
    columns: [
      ...parameters.map((column, position) => ({
        ...column,
        column: position < keys ? at(position) : constantColumn(column.variable, null, length),
      })),
      ...results.map((column, position) => ({ ...column, column: at(keys + position) })),
    ],
    runs:
      run?.kind === "number" && run.missing === null ? Int32Array.from(run.values) : new Int32Array(length).fill(-1),
    chronology,
    length,
    labels: labelsOf(input, common, (position) => at(keys + results.length + position), columns.at(-1), table.length),
  };
}

export function statisticsOf(element: OperatorElement, input: Deferred, common: CommonLabel[]): Summarized | undefined {
  operatorOf(element).apply(element, [input.shape], {});
  const asked = statisticColumns(element, input.shape);
  const keys = keysOf(input);
  const columns: Summary["columns"] = asked.flatMap((each) =>
    "statistic" in each
      ? [
          {
            of: input.expressions[input.shape.columns.indexOf(each.column)] as RowExpression,
            aggregate: summaryOf(each.statistic),
          },
        ]
      : [],
  );
  const rows: RowPlan = {
    ...input.rows,
    summary: { by: keys, columns, common: common.map(({ variable }) => variable) },
  };
  return {
    rows,
    vectorOf(answer) {
      if (
        columns.some(
          ({ aggregate: { kind } }, at) =>
            kind === "interpolated" && hasNaN(answer.table.columns[keys.length + 1 + at]),
        )
      )
        return undefined;
      const cells = cellsOf(asked, answer, keys.length);
      const shape: Deferred = { ...input, shape: { ...input.shape, columns: parametersOf(input.shape) } };
      const groups = groupsOf(shape, withoutCells(answer, keys.length, columns.length), keys.length, common);
      return renamed(
        element,
        input.shape,
        summarizedStatistics(element, { ...groups, length: answer.table.length }, asked, cells),
      );
    },
  };
}

function withoutCells({ table, chronology }: SourceRows, keys: number, cells: number): SourceRows {
  const columns = table.columns.filter((_, at) => at <= keys || at > keys + cells);
  return { table: { ...table, columns }, chronology };
}

/** Databases differ in interpolation next to infinite values. */
function hasNaN(column: SourceRows["table"]["columns"][number] | undefined): boolean {
  return (
    column?.kind === "number" && column.values.some((each, row) => Number.isNaN(each) && column.missing?.[row] !== 1)
  );
}

type Cell = (row: number) => Value;

/** The values of the selected columns, by row. */
function cellsOf(asked: readonly StatisticColumn[], { table }: SourceRows, keys: number): Cell[] {
  let position = keys + 1;
  const counts = table.columns.at(-1);
  return asked.map((each): Cell => {
    if (!("statistic" in each)) return (row) => countAt(counts, row);
    const column = table.columns[position++];
    const { type } = each.as.variable;
    return (row) => (column && isPlain(column) ? valueAt(column, row, column.kind === "text" ? "string" : type) : null);
  });
}
