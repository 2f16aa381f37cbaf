// Measures commands: single jobs, the configured matrix, A/B pairs, before a check and with import.
// Used by the verbs collect, run, check and bisect, and by Perun's front end.
// Never schedules or executes a measurement itself (workspace/jobs), and never runs untrusted configuration.

export { type CollectedAndImported, collectAndImport } from "./collect-and-import.ts";
export { type CollectOptions, type PluginOptions, collect, collectorsNamed } from "./collect.ts";
export { jobsInFile, readParams } from "./job-matrix.ts";
export { type AbResult, runAb } from "./run-ab.ts";
export { type JobOptions, type RunOptions, runJob, runMatrix } from "./run-jobs.ts";
