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
