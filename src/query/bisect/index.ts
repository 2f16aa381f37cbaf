// Bayesian search for the first bad version of a history: evidence, noise models, posterior, the next measurement, and
// the descent into merges. Used by the bisect command; depends on src/math and the version graph.
// Never runs a measurement, and never asks the VCS.

export { endsDiffer } from "./ends.ts";
export type { Evidence } from "./evidence.ts";
export { type Suspects, binarySearchCost, credibleGroups, nextMove, suspectsOf } from "./next-move.ts";
export {
  candidatesBetween,
  lineBetween,
  type LineEnding,
  type NestedEnding,
  searchNested,
  type VersionLine,
} from "./nested-search.ts";
export { type Step, stepAt } from "./step.ts";
