// Comparison of two sides: significance, effect size, equivalence and detectable change, pooled or in pairs.
// Used by the compare and ab commands and src/query/calibration.
// Never decides by fewer values than the test requires.

export { type CompareOptions, type Compared, compareAll } from "./compare.ts";
export { judgeDefaults, worstChange } from "./decision.ts";
export { judge, leastValues } from "./judge.ts";
export { isSettled, openVerdicts } from "./sequential-pairs.ts";
