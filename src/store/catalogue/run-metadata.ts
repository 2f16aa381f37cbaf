import type { Digest, VersionId } from "../../core/versions/index.ts";

/** Metadata of all runs of an import. Times are microseconds since 1970-01-01T00:00:00Z. */
export interface RunMetadata {
  readonly version?: VersionId;
  /** Whether the working tree had uncommitted changes; unknown outside of a repository. */
  readonly dirty?: boolean;
  readonly created: number;
  readonly performed: number;
  readonly performer?: string;
  readonly label?: string;
  readonly synopsis?: string;
  /** The object that stores the input description. */
  readonly description?: Digest;
}

/** A file that runs were imported from. */
export interface Source {
  /** As given by the user; `-` is standard input. */
  readonly path: string;
  readonly sha256: string;
  /** The object that stores its bytes. */
  readonly object: Digest;
  readonly bytes: number;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly modified?: number;
  /** The object that stores its input description; absent for that of the run. */
  readonly description?: Digest;
}
