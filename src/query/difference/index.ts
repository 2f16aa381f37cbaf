// The difference of two profiles by function, file or stack, with renames and moved cost.
// Used by the diff and explain commands and src/query/flame.
// Never reads profiles from a store, and never decides whether a change is significant.

export { type TouchedCost, repetitionsOf, stacksOfFunctions, touchedCosts } from "./costs.ts";
export { hasCalls, movedBetween, movedCosts } from "./moved-costs.ts";
export { pooledDifference } from "./pooled-difference.ts";
export { type DifferenceOptions, type NamedRun, headerComparison, profileDifference } from "./profile-difference.ts";
