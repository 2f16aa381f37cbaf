// The version graph, history order of results, labels and columns by version, and suspects of a change.
// Used by commands on history, queries and verdicts.
// Never calls a VCS; versions are added by the caller.

export { type VersionColumn, joinVersionColumns } from "./commit-columns.ts";
export { commitUrlOf, commitLabels, commitsIn, labelled } from "./commit-labels.ts";
export { holdsCommits, inHistoryOrder, isHistorical } from "./history-order.ts";
export { Suspects } from "./suspect-commits.ts";
export { VersionGraph } from "./version-graph.ts";
