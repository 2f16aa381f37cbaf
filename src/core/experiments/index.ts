// Experiments, their updates, plot and query descriptions, and the conformance of rows to an experiment.
// Used by formats, query, store, plug-ins and commands; imports other rooms of core only.
// Never parses text, accesses a database or reads files.

export { convertsNumbers, resolveChanges, updatedExperiment } from "./apply-update.ts";
export { type Absence, allowedOnce, conformOnce, conformTable, conformUpdate } from "./conform.ts";
export { diffExperiments } from "./experiment-diff.ts";
export { extendedExperiment, mergeDeclarations } from "./experiment-from-report.ts";
export {
  type AccessChange,
  type ExperimentUpdate,
  type VariableAlteration,
  type VariableChange,
  accessLevels,
} from "./experiment-update.ts";
export {
  type CommentedKeyword,
  type Experiment,
  type ExperimentComments,
  commentedKeywords,
  requireExperimentName,
  requireOtherName,
  variableOf,
  variablesOf,
} from "./experiment.ts";
export { type JoinSpec, type JoinType, joinTypes } from "./join-spec.ts";
export type { ParsedRun } from "./parsed-run.ts";
export {
  type AxisOptions,
  type ErrorBars,
  type PlotAxis,
  type PlotDescription,
  type PlotResult,
  emptyPlot,
  errorBars,
  isSurfacePlot,
  isSurfaceStyle,
  plotProblem,
  plotScales,
  type PlotStyle,
  plotStyles,
  plotTypes,
  type SurfaceStyle,
  surfaceStyles,
} from "./plot-description.ts";
export {
  type CombinerElement,
  type ElementInput,
  type FilterComparison,
  type FilterCondition,
  type FilterGroup,
  type FilterMember,
  type FixedValue,
  type Junction,
  type OperatorElement,
  type OutputElement,
  type ParameterElement,
  type PointInTime,
  type QueryDescription,
  type RunSelection,
  type SeriesElement,
  type SourceElement,
  type SourceResult,
  type Term,
  type TermElement,
  type TimeRange,
  chronologies,
  comparisonOf,
  comparisonWords,
  comparisons,
  inputAttributes,
  labelStyles,
  missingRows,
  outputAttributes,
  rowKinds,
  shows,
  termOperators,
} from "./query-description.ts";
export { type RunName, parseRunName } from "./run-name.ts";
