// Call trees of profiles as flame graphs: plain, inverted, merged, focused, and the difference of two.
// Used by the views, the diff commands and reports.
// Never draws; renderers do.

export { type ComparedShape, type RepeatedStacks, comparedGraphs, tracedStacks } from "./compared-graphs.ts";
export { type DifferenceLook, differenceBlocks } from "./difference-blocks.ts";
export { flameChart } from "./flame-chart.ts";
export { flameGraph } from "./flame-graph.ts";
export { typeNamed } from "./value-type.ts";
