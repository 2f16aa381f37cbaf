// Selects and orders commits, lists history and status, and records commits of the built-in VCS.
// Used by all rooms of commands that relate results to commits, and by the verbs log, status and tagit.
// Never reads results of experiments, and never changes a repository except through its recorder.

export { type CommitAxis, alongHistory, orderOf, skippedRunNotes } from "./commit-axis.ts";
export { type Link, startHeadLookup } from "./head-lookup.ts";
export { type CommitSelection, History, LazyHistory, selectedCommits, versionsOf, walkBetween } from "./history.ts";
export { type LogEntry, type LogOptions, log } from "./log.ts";
export { diffVersions, exportVersion, snapshot, tagVersion } from "./snapshot.ts";
export { type Status, status } from "./status.ts";
export { type TimeSpan, instant, spanTest } from "./time-span.ts";
