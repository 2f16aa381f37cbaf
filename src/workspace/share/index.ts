// Push, pull, repair and status of shared results: git transport, and parts with their merge rules.
// Used by the commands of src/commands/share, history and maintenance.
// Never touches the user's repository, nor uses remote data before it is verified.

export type { ShareProgress } from "./git/share-progress.ts";
export type { ShareSettings } from "./open-share.ts";
export type { ShareFilter } from "./parts/share-part.ts";
export { type PullResult, pull } from "./pull.ts";
export type { PushResult } from "./parts/share-summary.ts";
export { push } from "./push.ts";
export { allRemotePrograms } from "./remote-programs.ts";
export type { RemoteStanding } from "./remote-status.ts";
export { hasShared } from "./share-folder.ts";
export type { ShareGarbage } from "./share-maintenance.ts";
