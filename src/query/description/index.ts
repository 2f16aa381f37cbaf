// perfbase's query graph: sources, operators, combiners and outputs, and the pushdown of operators into a database.
// Used by the query commands and by src/store, which implements its data access.
// Never opens a database or a file, and never trusts names, labels or values of a description.

export { describeQuery } from "./describe-query.ts";
export { displayText } from "./display-text.ts";
export { type SourceData, evaluate, outside } from "./evaluate.ts";
export { choiceKey, frozenData, historyKey } from "./frozen-data.ts";
export { experimentOf, resolveMacros } from "./graph.ts";
export { mostMatches } from "./operators/matching.ts";
export { compareMissingLast, statisticOfRows } from "./operators/statistics.ts";
export { type QueryProduct, printOutputs } from "./outputs/outputs.ts";
export { type SelectableRun, choosesVersions } from "./sources/run-selection.ts";
export type { SourceRows } from "./sources/source-vector.ts";
