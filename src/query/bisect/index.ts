// Bayesian search for the first bad version of a line: evidence, noise models, posterior and the next measurement.
// Used by the bisect command; depends on src/math only.
// Never runs a measurement, and never asks the VCS.

export { endsDiffer } from "./ends.ts";
export type { Evidence } from "./evidence.ts";
export { type Suspects, binarySearchCost, credibleGroups, nextMove, suspectsOf } from "./next-move.ts";
export { type Step, stepAt } from "./step.ts";
