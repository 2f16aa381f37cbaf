// Statistics by name: one record each with types, unit, computation and the aggregate of databases.
// Used by src/query, the commands and src/store/sql.
// Never imputes missing values.

export {
  computeStatistic,
  databaseQuantile,
  hasOrder,
  numericTypes,
  orderedTypes,
  parseStatistic,
  type Statistic,
  statisticOf,
  type SummaryAggregate,
  summaryOf,
} from "./statistic.ts";
export { nameOfStatistic as statisticName } from "../../core/variables/index.ts";
