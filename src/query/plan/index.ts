// The query model: names, conditions, statistics, row expressions and summaries that engines implement.
// Used by all query rooms, the commands and src/store/sql.
// Never contains SQL or knows an engine.

export { type ConditionText, splitCondition } from "./condition-text.ts";
export { isTextMatch, readComparison, readConditions } from "./condition.ts";
export {
  type FindColumn,
  type RunFact,
  findColumn,
  findConditions,
  isRowCondition,
  matchingRuns,
  rowValuesQuery,
  runValuesQuery,
} from "./find-runs.ts";
export { parseBound, parseInputValue } from "./parse-value.ts";
export { planLines } from "./plan-text.ts";
export {
  type CompilePattern,
  type Predicate,
  always,
  isAlways,
  join,
  mapPredicate,
  predicateTest,
  textTest,
  variablesIn,
} from "./predicate.ts";
export {
  type Chronology,
  type JoinedRows,
  type LogicalPlan,
  type Output,
  type RowKind,
  type RowOrder,
  type SortKey,
  asImported,
  chronologyVariable,
  distinctValuesPlan,
  runRows,
  sourceOf,
  usedIn,
  valueOutput,
} from "./logical-plan.ts";
export {
  type QuerySpec,
  countsQuery,
  findVariable,
  groupedBy,
  plan,
  rangeQuery,
  rowCount,
  rowsQuery,
  runsByCommit,
  runsOf,
  selectedStatistics,
} from "./query.ts";
export { isReplicateIndex } from "./replicate-index.ts";
export {
  type Quotient,
  type RowExpression,
  columnOf,
  columnsIn,
  expressionType,
  float,
  mentions,
  shifted,
  whole,
} from "./row-expression.ts";
export { type CountedNumbers, type NearNumbers, type RowLimit, type RunSlice, rankFraction } from "./row-summary.ts";
export { type SummaryAggregate, summaryOf } from "../statistics/index.ts";
export { commitVariable, isRunVariable, numberOfRun, rowNumberInRun, runVariables } from "./run-variables.ts";
