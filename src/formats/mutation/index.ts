// Mutation rules for fuzzing input samples: text, XML, binary and user-defined patterns.
// Used by the fuzz commands, the fuzz campaigns of workspace and plug-ins that add rules.
// Never chooses random numbers itself and never runs a program.

export { patternRule } from "./sample-text.ts";
export { type MutationRule, mutate } from "./rule.ts";
export { allRules, kindOfSample, suits } from "./sample-kind.ts";
