// Proposes an experiment and an input description from sample outputs of a benchmark, by rules.
// Used by commands/describe.
// Never reads a file and never parses with a description: the importer does, to check a proposal.

export { type Proposal, proposeDescription } from "./propose.ts";
export type { ProposedRule } from "./rule-binder.ts";
export { type Cell, type SampleText, numericLines, sampleLines } from "./sample.ts";
export { expectedValue } from "./spellings.ts";
