import type { ShareSummary } from "./share-summary.ts";
import type { VersionId } from "../../../core/versions/index.ts";
import { gitBlobId, type Standing } from "../../../formats/store/index.ts";
import type { Workspace } from "../../workspace.ts";
import type { ReadBlob } from "../git/blob-reader.ts";
import type { ShareProgress } from "../git/share-progress.ts";

/**
 * One kind of shared data: a folder of the shared tree (docs/adr/017-share-through-git.md). `shareParts` lists all
 * parts. A push merges each part's `local` data with the remote's and sends the difference. A pull first calls
 * `receive` of every part, which verifies everything and changes nothing; only if all succeed is anything applied.
 */
export interface SharePart {
  /** Name of the folder, in lower-case letters. */
  readonly name: string;
  /** Nouns for one and several paths: "profile", "profiles". */
  readonly noun: readonly [one: string, many: string];
  /** fixed: a path names the digest of its immutable data, which is sent if missing. merged: see `merge`. */
  readonly kind: "fixed" | "merged";
  /** Maximum size in bytes; larger data is refused unread. */
  readonly cap: number;
  /**
   * Whether `path` (relative to the folder, at most two levels, such as `ab/cdef…`) is valid for this part. Paths of
   * remotes are untrusted until accepted.
   */
  accepts(path: string): boolean;
  /**
   * Fails with `share-refused` if `bytes` are invalid at `path`. `now`: milliseconds since 1970. Called for all data of
   * a remote before any other use.
   */
  verify(path: string, bytes: Uint8Array, now: number): void;
  /** Merges two states of a path. Pure, commutative, associative and idempotent. Not called for fixed parts. */
  merge(path: string, ours: Uint8Array, theirs: Uint8Array): Uint8Array;
  /**
   * Data of this instance by path. May record changes of the user in `scene.folder`, so that they are the same after a
   * kill.
   */
  local(scene: ShareContext): Promise<ReadonlyMap<string, LocalBlob>>;
  /**
   * Reads and verifies the data that the instance lacks and selects. Does not change the instance. Parts receive in the
   * order of their list and are applied in reverse: referring parts come first, so that they can request data and are
   * applied after it.
   */
  receive(scene: ShareContext, remote: SharedFolder): Promise<Received>;
  /**
   * Differences to the remote, for `status`; `isThere` tests for a path including its part. Absent if another part
   * covers it. null: unknown.
   */
  standing?(
    scene: ShareContext,
    remote: SharedFolder,
    isThere: (path: string) => boolean,
  ): Promise<PartStanding | null>;
}

/** Differences of a part. */
export type PartStanding =
  | { readonly kind: "versions"; readonly versions: ReadonlyMap<VersionId, ReadonlyMap<string, Standing>> }
  | { readonly kind: "experiments"; readonly push: number; readonly pull: number; readonly mark: string };

/** Context of parts. */
export interface ShareContext {
  readonly workspace: Workspace;
  /** Existing folder for state about this remote; a part's files start with its name. */
  readonly folder: string;
  /** Random hex id of this instance. */
  readonly instance: string;
  readonly filter: ShareFilter;
  readonly progress: ShareProgress;
}

/** Selects data to share; excluded data is neither sent nor received, and not treated as removed. */
export interface ShareFilter {
  /** Minimum registration time in unix seconds. */
  readonly since?: number;
  /** Only profiles of this collector. */
  readonly collector?: string;
  /** Maximum size in bytes. */
  readonly sizeLimit?: number;
}

export interface LocalBlob {
  /** Excluded by the filter: not sent. */
  readonly isExcluded?: boolean;
  /** Called only if it has to be sent. */
  load(): LoadedBlob;
}

export interface LoadedBlob {
  readonly bytes: Uint8Array;
  /** Their zlib stream, if there is one already. */
  readonly stream?: Uint8Array;
}

/** The folder of a part in a remote. */
export interface SharedFolder {
  /** All paths, each accepted by the part, with blob ids. */
  readonly paths: ReadonlyMap<string, string>;
  /** Reads verified blobs in the requested order. Fails with `share-refused`, unless damaged ones are skipped. */
  read(paths: Iterable<string>): AsyncIterable<ReadBlob>;
  /** Sizes in bytes, in the requested order. */
  sizes(paths: Iterable<string>): Promise<readonly number[]>;
}

/** Verified data of a part. Exactly one of its functions is called, once. */
export interface Received {
  /** What `apply` would change, for dry runs. */
  readonly summary: ShareSummary;
  /** Stores the data: durable on return, idempotent after a kill. */
  apply(): Promise<ShareSummary>;
  /** Discards the data. */
  discard(): Promise<void>;
}

/** A path that the remote lacks or has in another state. */
export interface Difference {
  readonly part: SharePart;
  readonly path: string;
  readonly local: LocalBlob;
}

/** Paths of a part with immutable data that the remote lacks. */
export function fixedDifferences(
  part: SharePart,
  local: ReadonlyMap<string, LocalBlob>,
  folder: SharedFolder,
): Difference[] {
  return [...local].filter(([path]) => !folder.paths.has(path)).map(([path, blob]) => ({ part, path, local: blob }));
}

/** Paths of a part where merging changes what the remote has, with the merged value. */
export async function mergedDifferences(
  part: SharePart,
  local: ReadonlyMap<string, LocalBlob>,
  folder: SharedFolder,
): Promise<Difference[]> {
  const found: Difference[] = [];
  const ours = new Map<string, Uint8Array>();
  for (const [path, blob] of local) {
    const known = folder.paths.get(path);
    if (known === undefined) found.push({ part, path, local: blob });
    else ours.set(path, blob.load().bytes);
  }
  const others = [...ours].filter(([path, bytes]) => gitBlobId(bytes) !== folder.paths.get(path));
  for await (const { path, bytes } of folder.read(others.map(([path]) => path))) {
    const merged = part.merge(path, ours.get(path)!, bytes);
    if (gitBlobId(merged) !== folder.paths.get(path))
      found.push({ part, path, local: { load: () => ({ bytes: merged }) } });
  }
  return found;
}
