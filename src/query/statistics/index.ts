// Statistics by name: parsing, result type and unit, and their computation.
// Used by src/query, the commands and src/store/sql.
// Never imputes missing values.

export { computeStatistic } from "./compute-statistic.ts";
export { type Statistic, hasOrder, parseStatistic, statisticName, statisticOf } from "./statistic.ts";
