// Finds the commit that changed a metric, and decides whether the working tree is worse than a commit.
// Used by the verb bisect; builds on jobs and history.
// Never prints, and never decides how many measurements the user allows.

export { type BisectResult, type BisectWatcher, bisect } from "./bisect.ts";
export type { BisectJob } from "./measurement.ts";
export { type PredicateResult, bisectPredicate } from "./predicate.ts";
