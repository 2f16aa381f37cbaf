// Variables of experiments, arithmetic expressions over them, and names of statistics.
// Used by descriptions, queries, importers and the store.
// Never evaluates over rows: queries do.

export {
  type Expression,
  argumentProblem,
  deepestNode,
  depthOf,
  evaluate,
  expressionFunctions,
  functionNamed,
  mostNodes,
  variablesIn,
} from "./expression.ts";
export {
  nameOfStatistic,
  type NamedStatistic,
  quantilePercent,
  statisticName,
  statisticNamed,
  statisticNames,
} from "./statistic-names.ts";
export { VariableNames } from "./variable-names.ts";
export {
  type Variable,
  findVariable,
  hasUnits,
  isName,
  mayHaveUnit,
  mostVariables,
  readVariableValue,
} from "./variable.ts";
