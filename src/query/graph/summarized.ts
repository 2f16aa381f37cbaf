import type { OperatorElement } from "../../core/query-description.ts";
import { constantColumn } from "../../core/table-builder.ts";
import { valueAt } from "../../core/table.ts";
import { compareValues, type Value } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import type { Deferred } from "./deferred.ts";
import { contentLabel } from "./filter-label.ts";
import { aggregate } from "./operators/aggregate.ts";
import type { Aggregate } from "./operators/aggregates.ts";
import { operatorOf, renamed } from "./operators/operators.ts";
import type { RowExpression, Summary, SummaryAggregate } from "./row-summary.ts";
import type { SourceRows } from "./source-vector.ts";
import { statisticColumns, summarizedStatistics, type StatisticColumn } from "./operators/statistics.ts";
import type { Statistic } from "../statistic.ts";
import type { RowPlan } from "./source-plan.ts";
import { isPlain, parametersOf, resultsOf, type FilterLabel, type Vector, type VectorColumn } from "./vector.ts";

/** Groups of rows that a database makes: what to ask it, and what the answer is to the rest of the query. */
export interface Summarized {
  readonly rows: RowPlan;
  /** undefined: the rows have to be seen after all. */
  vectorOf(answer: SourceRows): Vector | undefined;
}

/**
 * An aggregate of rows that stay where they are; undefined: it needs them here. `needsRuns`: other elements ask which run an extreme is
 * from. Fails as the operator does.
 */
export function summarize(element: OperatorElement, input: Deferred, needsRuns: boolean): Summarized | undefined {
  if (input.rows.first !== undefined) return undefined;
  const common = commonVariables(input);
  if (common === undefined) return undefined;
  return element.type === "statistics" ? statisticsOf(element, input, common) : aggregateOf(element, input, common, needsRuns);
}

interface CommonLabel {
  readonly label: Extract<Deferred["source"]["labels"][number], { readonly at: number }>;
  readonly variable: Variable;
}

/** The variables whose common content is a label; undefined: some have no order that databases know. */
function commonVariables({ source, rows }: Deferred): CommonLabel[] | undefined {
  const found = source.labels.flatMap((label) => ("at" in label ? [{ label, variable: rows.variables[label.at] as Variable }] : []));
  return found.some(({ variable }) => variable.type === "binary") ? undefined : found;
}

function aggregateOf(element: OperatorElement, input: Deferred, common: CommonLabel[], needsRuns: boolean): Summarized | undefined {
  const operator = operatorOf(element);
  const of = operator.aggregateOf?.(element);
  if (of?.summary === undefined) return undefined;
  const { summary } = of;
  operator.apply(element, [input.shape], {});
  const isExtreme = of.row !== undefined;
  const isGrouped = element.scope !== "run" && input.shape.from === "source";
  if (isExtreme && (needsRuns || (!isGrouped && parametersOf(input.shape).length > 0))) return undefined;
  // Runs stand in the order of their first rows.
  if (element.scope === "run" && !input.inOrder) return undefined;
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

/** Parameters are contents as they are. */
function keysOf({ shape, expressions }: Deferred): Variable[] {
  const keys = shape.columns.flatMap((column, at) => (column.variable.role === "parameter" ? [expressions[at] as RowExpression] : []));
  return keys.map(({ variable }) => variable);
}

function resultExpressions({ shape, expressions }: Deferred): RowExpression[] {
  return shape.columns.flatMap((column, at) => (column.variable.role === "result" ? [expressions[at] as RowExpression] : []));
}

/** What is there is taken as it is: the database has made one content of many. */
function inDatabase({ row: _, ...of }: Aggregate): Aggregate {
  const isOfType = of.summary?.kind === "min" || of.summary?.kind === "max" || of.summary?.kind === "rank";
  return {
    ...of,
    content: ({ column, variable }, rows) => {
      const [row] = Array.from(rows);
      if (row === undefined) return of.name === "count" ? 0 : null;
      return valueAt(column, row, isOfType ? variable.type : column.kind === "text" ? "string" : "float");
    },
  };
}

/** One row per group, with the run, the contents that it is grouped by and the aggregates in place of the results. */
function groupsOf(input: Deferred, { table, chronology }: SourceRows, keys: number, common: readonly CommonLabel[]): Vector {
  const { shape } = input;
  const [run, ...columns] = table.columns;
  const parameters = parametersOf(shape);
  const results = resultsOf(shape);
  const at = (place: number): VectorColumn["column"] => {
    const column = columns[place];
    return column && isPlain(column)
      ? column
      : constantColumn({ name: "", role: "result", occurrence: "multiple", type: "float" }, null, table.length);
  };
  // All rows are one group, also where there are none.
  const isEmpty = keys === 0 && table.length === 1 && countAt(columns.at(-1), 0) === 0;
  const length = isEmpty ? 0 : table.length;
  return {
    ...shape,
    columns: [
      ...parameters.map((column, place) => ({
        ...column,
        column: place < keys ? at(place) : constantColumn(column.variable, null, length),
      })),
      ...results.map((column, place) => ({ ...column, column: at(keys + place) })),
    ],
    runs: run?.kind === "number" && run.missing === null ? Int32Array.from(run.values) : new Int32Array(length).fill(-1),
    chronology,
    length,
    labels: labelsOf(input, common, (place) => at(keys + results.length + place), columns.at(-1), table.length),
  };
}

function countAt(column: SourceRows["table"]["columns"][number] | undefined, row: number): number {
  return column?.kind === "number" ? (column.values[row] ?? 0) : 0;
}

/** Labels in the order of the source; of a common content only where all rows have the same. */
function labelsOf(
  { source, rows, shape }: Deferred,
  common: readonly CommonLabel[],
  at: (place: number) => VectorColumn["column"],
  counts: SourceRows["table"]["columns"][number] | undefined,
  length: number,
): FilterLabel[] {
  const own = source.labels.flatMap((label): FilterLabel[] => {
    if (!("at" in label)) return [label];
    const place = common.findIndex((each) => each.label === label) * 3;
    const variable = rows.variables[label.at] as Variable;
    const content = commonContent([at(place), at(place + 1), at(place + 2)], counts, length, variable);
    const text = content === undefined ? "" : contentLabel(label.parameter, variable, content);
    return text === "" ? [] : [{ text, titleOnly: label.titleOnly, common: true }];
  });
  return [...own, ...shape.labels];
}

/** undefined: groups differ, or have no rows. */
function commonContent(
  [least, greatest, present]: readonly [VectorColumn["column"], VectorColumn["column"], VectorColumn["column"]],
  counts: SourceRows["table"]["columns"][number] | undefined,
  length: number,
  { type }: Variable,
): Value | undefined {
  let found: Value | undefined;
  for (let row = 0; row < length; row++) {
    const [count, there] = [countAt(counts, row), countAt(present, row)];
    if (count === 0) continue;
    const [low, high] = [valueAt(least, row, type), valueAt(greatest, row, type)];
    if ((there !== 0 && there !== count) || compareValues(low, high, type) !== 0) return undefined;
    if (found !== undefined && compareValues(found, low, type) !== 0) return undefined;
    found = low;
  }
  return found;
}

function statisticsOf(element: OperatorElement, input: Deferred, common: CommonLabel[]): Summarized | undefined {
  operatorOf(element).apply(element, [input.shape], {});
  const asked = statisticColumns(element, input.shape);
  const keys = keysOf(input);
  const columns: Summary["columns"] = asked.flatMap((each) =>
    "statistic" in each
      ? [{ of: input.expressions[input.shape.columns.indexOf(each.column)] as RowExpression, aggregate: summaryOf(each.statistic) }]
      : [],
  );
  const rows: RowPlan = { ...input.rows, summary: { by: keys, columns, common: common.map(({ variable }) => variable) } };
  return {
    rows,
    vectorOf(answer) {
      if (columns.some(({ aggregate: { kind } }, at) => kind === "interpolated" && hasNaN(answer.table.columns[keys.length + 1 + at])))
        return undefined;
      const cells = cellsOf(asked, answer, keys.length);
      const shape: Deferred = { ...input, shape: { ...input.shape, columns: parametersOf(input.shape) } };
      const groups = groupsOf(shape, withoutCells(answer, keys.length, columns.length), keys.length, common);
      return renamed(element, input.shape, summarizedStatistics(element, { ...groups, length: answer.table.length }, asked, cells));
    },
  };
}

function withoutCells({ table, chronology }: SourceRows, keys: number, cells: number): SourceRows {
  const columns = table.columns.filter((_, at) => at <= keys || at > keys + cells);
  return { table: { ...table, columns }, chronology };
}

/** Between an infinite content and another one databases do not agree. */
function hasNaN(column: SourceRows["table"]["columns"][number] | undefined): boolean {
  return column?.kind === "number" && column.values.some((each, row) => Number.isNaN(each) && column.missing?.[row] !== 1);
}

type Cell = (row: number) => Value;

/** The contents of the columns that are asked for, by row. */
function cellsOf(asked: readonly StatisticColumn[], { table }: SourceRows, keys: number): Cell[] {
  let place = keys + 1;
  const counts = table.columns.at(-1);
  return asked.map((each): Cell => {
    if (!("statistic" in each)) return (row) => countAt(counts, row);
    const column = table.columns[place++];
    const { type } = each.as.variable;
    return (row) => (column && isPlain(column) ? valueAt(column, row, column.kind === "text" ? "string" : type) : null);
  });
}

function summaryOf(statistic: Statistic): SummaryAggregate {
  switch (statistic.kind) {
    case "mean":
      return { kind: "avg" };
    case "median":
      return { kind: "interpolated", at: 0.5 };
    case "quantile":
      return { kind: "interpolated", at: statistic.at };
    default:
      return { kind: statistic.kind };
  }
}
