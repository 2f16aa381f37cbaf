import type { VersionId } from "./digest.ts";

/** A commit. */
export interface MinorVersion {
  readonly id: VersionId;
  readonly parents: readonly VersionId[];
  readonly author: string;
  readonly email: string;
  /** Committer date, unix seconds. */
  readonly date: number;
  /** The whole message, without trailing newlines. */
  readonly description: string;
  /** Number of trailing newlines of the message, if it is not 1; Perun prints them. */
  readonly finalNewlines?: number;
}

/** A branch. */
export interface MajorVersion {
  readonly name: string;
  readonly head: VersionId;
}

/** A tag. */
export interface TaggedVersion {
  readonly name: string;
  readonly version: VersionId;
}

/**
 * Labels of commits: the full id; the shortest unique abbreviation; the first line of the message; the day (UTC); the
 * tag, if any.
 */
export const commitLabelStyles = ["id", "short", "subject", "date", "tag"] as const;

export type CommitLabelStyle = (typeof commitLabelStyles)[number];
