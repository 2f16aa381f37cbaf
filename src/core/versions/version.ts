import type { VersionId } from "./digest.ts";

/** A commit, in Perun's words a minor version. */
export interface MinorVersion {
  readonly id: VersionId;
  readonly parents: readonly VersionId[];
  readonly author: string;
  readonly email: string;
  /** Committer date, unix seconds. */
  readonly date: number;
  /** The whole message, without trailing newline. */
  readonly description: string;
}

/** A branch, in Perun's words a major version. */
export interface MajorVersion {
  readonly name: string;
  readonly head: VersionId;
}

/** A version that was given a name for good. */
export interface TaggedVersion {
  readonly name: string;
  readonly version: VersionId;
}

/**
 * How versions are shown: whole ids; as many digits as tell them apart; the first line of the message; the day (UTC);
 * the tag, if any.
 */
export const commitLabelStyles = ["id", "short", "subject", "date", "tag"] as const;

export type CommitLabelStyle = (typeof commitLabelStyles)[number];
