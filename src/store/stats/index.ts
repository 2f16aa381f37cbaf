// Statistics and temporary files of a store in Perun's layout.
// For the stats and temp commands, and for fsck.
// Never follows symbolic links or paths that lead out of their folders.

export { newestFirst } from "./stats-index.ts";
export { type CommitDateOf, Stats, type StatsFile } from "./stats.ts";
export { Temp, type TempFile } from "./temp.ts";
