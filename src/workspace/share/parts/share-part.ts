import type { ShareSummary } from "./share-news.ts";
import type { VersionId } from "../../../core/versions/digest.ts";
import type { Standing } from "../../../formats/store/sharing/observed-remove-status.ts";
import type { Workspace } from "../../workspace.ts";
import type { ReadBlob } from "../git/blob-reader.ts";
import type { ShareProgress } from "../git/share-progress.ts";

/**
 * One kind of thing that instances share: a folder of the tree that travels (docs/adr/017-share-through-git.md). All
 * parts stand in `parts.ts`. A push asks each part for what is `local`, merges it with what the remote has, and sends
 * the difference. A pull lets every part `receive` first, which verifies everything and changes nothing; only when all
 * of them are content is anything applied.
 */
export interface SharePart {
  /** Name of its folder: lower-case letters. */
  readonly name: string;
  /** What one path of it is to the user: "profile", "profiles". */
  readonly noun: readonly [one: string, many: string];
  /**
   * fixed: what a path holds never changes, for the path tells its digest; it is sent unless it is there. merged: see
   * `merge`.
   */
  readonly kind: "fixed" | "merged";
  /** Contents of more bytes are refused before they are read. */
  readonly cap: number;
  /**
   * Whether `path` (inside of the folder, at most two levels, such as `ab/cdef…`) can be one of this part. Paths are
   * the remote's: hostile until they are accepted.
   */
  accepts(path: string): boolean;
  /**
   * Fails with `share-refused` unless `content` can stand at `path` at that moment (milliseconds since 1970). Called
   * for everything that comes from a remote before anything else sees it.
   */
  verify(path: string, content: Uint8Array, now: number): void;
  /**
   * Of two contents of one path the one that both become. Pure, commutative, associative, idempotent. Never called for
   * fixed parts.
   */
  merge(path: string, ours: Uint8Array, theirs: Uint8Array): Uint8Array;
  /**
   * What this instance holds, by path. May write down what it learned of the user's changes (in `scene.folder`), so
   * that they are the same ones should this process be killed.
   */
  local(scene: ShareContext): Promise<ReadonlyMap<string, LocalBlob>>;
  /**
   * Reads what the instance lacks and wants of `remote`, and verifies it. Changes nothing of the instance. Parts
   * receive in the order of their list and are applied in the reverse one: what refers to something stands before it,
   * so that it can say what it wants of it and is applied once it is there.
   */
  receive(scene: ShareContext, remote: SharedFolder): Promise<Received>;
  /**
   * How what is here and what is there stand to each other, for `status`; `isThere`: whether the remote has a path,
   * that of its part in front. Absent where another part tells it. null: nothing can be told.
   */
  standing?(
    scene: ShareContext,
    remote: SharedFolder,
    isThere: (path: string) => boolean,
  ): Promise<PartStanding | null>;
}

/** What a part tells of how here and there stand to each other. */
export type PartStanding =
  | { readonly kind: "versions"; readonly versions: ReadonlyMap<VersionId, ReadonlyMap<string, Standing>> }
  | { readonly kind: "experiments"; readonly push: number; readonly pull: number; readonly mark: string };

/** What parts work on. */
export interface ShareContext {
  readonly workspace: Workspace;
  /**
   * Where parts keep what they know of this remote; made before it is handed in. A part writes files that begin with
   * its name.
   */
  readonly folder: string;
  /** Random hex digits that name this instance among those that share with it. */
  readonly instance: string;
  readonly filter: ShareFilter;
  readonly progress: ShareProgress;
}

/** What of everything is to travel; what a wish leaves out is neither sent nor received, and not taken for removed. */
export interface ShareFilter {
  /** Only what was registered then or later; unix seconds. */
  readonly since?: number;
  /** Only profiles of this collector. */
  readonly collector?: string;
  /** Only contents of at most so many bytes. */
  readonly sizeLimit?: number;
}

export interface LocalBlob {
  /** The wish leaves it out: it is not sent. */
  readonly isExcluded?: boolean;
  /** Read when it has to be sent, and then only. */
  load(): Promise<Uint8Array> | Uint8Array;
}

/** The folder of one part as a remote has it. */
export interface SharedFolder {
  /** All its paths, each accepted by the part; the value names the content: equal values, equal contents. */
  readonly paths: ReadonlyMap<string, string>;
  /**
   * Contents in the order asked for, each at most the part's cap and verified. Fails with `share-refused`, unless
   * damaged ones are to be left out.
   */
  read(paths: Iterable<string>): AsyncIterable<ReadBlob>;
  /** Bytes of the contents, in the order asked for. */
  sizes(paths: Iterable<string>): Promise<readonly number[]>;
}

/** What a part has read and verified. Exactly one of its functions is called, once. */
export interface Received {
  /** What `apply` would change, for those who only want to know. */
  readonly summary: ShareSummary;
  /** Makes the instance hold it: durable once it returns, the same when it is done again after a kill. */
  apply(): Promise<ShareSummary>;
  /** Forgets it. */
  discard(): void;
}
