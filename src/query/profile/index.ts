// Rows of profiles as tables: flattening, selection, quantities, pivots, stacks, heap states and model curves.
// Used by the views and by commands on profiles.
// Never adds amounts of different quantities, and never reads a store.

export { withAmountUnit } from "./amount-unit.ts";
export { cellsOf } from "./cells.ts";
export { flatModels, flatResources } from "./flat-rows.ts";
export { foldedStacks } from "./folded-stacks.ts";
export { gridOptions } from "./grid-options.ts";
export { groupedRows } from "./grouped-rows.ts";
export { type Allocation, type Frame, allocationsOf, frameText, heapEvents, isNamed } from "./heap-events.ts";
export { gridBlock, gridNote, inBytes, processCaption, totalBlock } from "./heap-figure.ts";
export { heapGrid } from "./heap-grid.ts";
export { dependentKey, distinctValues, independentKey, keysOf } from "./keys.ts";
export { largestCategories, largestParts } from "./largest-groups.ts";
export { modelCurves } from "./model-curves.ts";
export type { Part, Pivot } from "./pivot.ts";
export { plotPoints } from "./points.ts";
export { quantitiesIn } from "./quantities.ts";
export { runStacks } from "./run-stacks.ts";
export { type ColumnValue, runWithRows } from "./run-with-rows.ts";
export { chosenColumns, rowsWhere } from "./selected-rows.ts";
export { ProfileStatistic } from "./statistic-by-version.ts";
export { type ProfileColumn, parseProfileColumns } from "./statistic-column.ts";
export { chartPivot, isAdditive, linesOption, textOption, titled, wantedData, wantedRows } from "./view-points.ts";
