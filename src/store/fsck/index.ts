// The check of a Perun or perfkeep store, and the removal of files and locks of killed processes.
// For the store itself and the maintenance commands.
// Never writes while checking, and never deletes files of living processes.

export type { Finding, FsckReport } from "./fsck-report.ts";
export { fsck } from "./fsck.ts";
export { type Swept, sweep } from "./leftovers.ts";
