import { isPlain, constantColumn, valueAt, type Column } from "../../../core/tables/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import type { DataType, Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { countAt, labelsOf, plainColumn, type CommonLabel } from "./group-labels.ts";
import { hasCommonLabels, vectorOf, type Deferred } from "./deferred.ts";
import { aggregate } from "../operators/aggregate.ts";
import type { Aggregate } from "../operators/aggregates.ts";
import { applyOperator, operatorOf, renamed } from "../operators/operators.ts";
import {
  chronologyVariable,
  columnOf,
  expressionType,
  type LogicalPlan,
  numberOfRun,
  type Output,
  rowCount,
  type RowExpression,
  type SummaryAggregate,
  summaryOf,
  valueOutput,
} from "../../plan/index.ts";
import type { SourceRows } from "../sources/source-vector.ts";
import { statisticColumns, summarizedStatistics, type StatisticColumn } from "../operators/statistics.ts";
import { parametersOf, resultsOf, type Vector, type VectorColumn } from "../vector.ts";

/** A grouping in the database: its plan, and the conversion of its result. */
export interface Summarized {
  readonly rows: LogicalPlan;
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
  if (element.scope === "run" && (!input.inOrder || typeof input.rows.of !== "string")) return undefined;
  const keys = isGrouped ? keysOf(input) : [];
  const aggregates = resultExpressions(input).map((expression) => aggregateOutput(expression, summary));
  const isByRun = element.scope === "run";
  const before = isByRun ? runKeys(input) : keys.map(keyOutput);
  return {
    rows: groupsPlan(input.rows, [...before, ...aggregates], common, isByRun),
    vectorOf({ table, chronology }) {
      const [run] = isByRun ? table.columns : [];
      const columns = isByRun ? table.columns.slice(2) : table.columns;
      const groups = groupsOf(input, { table: { ...table, columns }, chronology }, keys.length, common, run);
      return renamed(element, input.shape, aggregate(inDatabase(of), element, groups));
    },
  };
}

/** The row of an extreme: the first in order of the only result. */
function extremeRow(element: OperatorElement, input: Deferred, descending: boolean): Summarized | undefined {
  const [of, second] = resultExpressions(input);
  if (of === undefined || second !== undefined || !input.inOrder || hasCommonLabels(input)) return undefined;
  return {
    rows: { ...input.rows, order: [{ of, descending }, ...(input.rows.order ?? [])], limit: 1 },
    vectorOf: (answer) => applyOperator(element, [vectorOf(input, answer)]),
  };
}

/**
 * Groups of rows instead of rows: their keys and aggregates, then of each common variable the minimum, the maximum and
 * the number of values, then the number of rows. `isSorted`: by the keys of runs.
 */
export function groupsPlan(
  { order: _, ...rows }: LogicalPlan,
  outputs: readonly Output[],
  common: readonly CommonLabel[],
  isSorted = false,
): LogicalPlan {
  const shared = common.flatMap(({ variable }) =>
    (["min", "max", "count"] as const).map((kind) => aggregateOutput(columnOf(variable), { kind })),
  );
  return {
    ...rows,
    outputs: [...outputs, ...shared, rowCount],
    grouped: true,
    sort: isSorted ? [1, 0].map((output) => ({ output, descending: false })) : [],
    unordered: true,
  };
}

/** The run, and what orders it. */
function runKeys({ source }: Deferred): Output[] {
  return [numberOfRun, chronologyVariable(source.element.chronology ?? "created")].map(valueOutput);
}

function keyOutput(of: RowExpression): Output {
  return { variable: columnVariable(of, expressionType(of)), of };
}

export function aggregateOutput(of: RowExpression, aggregate: SummaryAggregate): Output {
  const { kind } = aggregate;
  const isOfType = kind === "min" || kind === "max" || kind === "rank" || kind === "mode";
  return { variable: columnVariable(of, isOfType ? expressionType(of) : "float"), of, aggregate };
}

/** Columns of groups are found by position. */
function columnVariable(of: RowExpression, type: DataType): Variable {
  return { name: of.kind === "column" ? of.variable.name : of.kind, role: "result", occurrence: "multiple", type };
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

/** One row per group, with the group keys, and the aggregates as results; `run`: the runs of the groups. */
function groupsOf(
  input: Deferred,
  { table, chronology }: SourceRows,
  keys: number,
  common: readonly CommonLabel[],
  run?: Column,
): Vector {
  const { shape } = input;
  const { columns } = table;
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
  const columns = asked.flatMap((each) => {
    if (!("statistic" in each)) return [];
    const of = input.expressions[input.shape.columns.indexOf(each.column)] as RowExpression;
    return [aggregateOutput(of, summaryOf(each.statistic))];
  });
  return {
    rows: groupsPlan(input.rows, [...keys.map(keyOutput), ...columns], common),
    vectorOf(answer) {
      if (
        columns.some(
          ({ aggregate }, at) => aggregate?.kind === "interpolated" && hasNaN(answer.table.columns[keys.length + at]),
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
  const columns = table.columns.filter((_, at) => at < keys || at >= keys + cells);
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
  let position = keys;
  const counts = table.columns.at(-1);
  return asked.map((each): Cell => {
    if (!("statistic" in each)) return (row) => countAt(counts, row);
    const column = table.columns[position++];
    const { type } = each.as.variable;
    return (row) => (column && isPlain(column) ? valueAt(column, row, column.kind === "text" ? "string" : type) : null);
  });
}
