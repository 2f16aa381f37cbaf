// Commits, branches, ids, parsed revisions, and links to forges.
// Used by the VCS contract, the store, queries and pages.
// Never runs a version control system.

export { type Digest, type VersionId, abbreviate, isDigest, isVersionId } from "./digest.ts";
export { commitLinks, terminalLink } from "./forge-links.ts";
export { type RevisionStep, parseRevision, refuseUnsafeRevision } from "./revision.ts";
export {
  type CommitLabelStyle,
  type MajorVersion,
  type MinorVersion,
  type TaggedVersion,
  commitLabelStyles,
} from "./version.ts";
