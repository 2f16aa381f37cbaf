// Runs fuzzing campaigns: prepares the program and its gauge, reports finds, writes charts and diffs.
// Used by the verb fuzz and by Perun's front end.
// Never mutates samples itself (workspace/fuzz) and never writes outside of the campaign's folder.

export type { FuzzReport, ReportedFind } from "./campaign-report.ts";
export { fuzz } from "./fuzz.ts";
export { type ChosenPlugin, type FuzzOptions, fuzzStrategies } from "./options.ts";
