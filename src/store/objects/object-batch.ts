import { renameSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Digest } from "../../core/versions/index.ts";
import { makeFolder, sweepFolder, wrapWriteErrors, writeUnsynced } from "../durable/index.ts";
import { syncFiles, syncFolders } from "./incoming-objects.ts";
import { memberPath } from "./object-paths.ts";
import { isIntactObject } from "./object-stream.ts";

/** Objects and packed bytes that are held until they are written together. */
const [maxObjects, maxBytes] = [4096, 32 << 20] as const;

/**
 * Adds many small objects to a store: they are written together, with one sync instead of two per object. An object is
 * durable once `commit` returns, and may be durable before.
 */
export class ObjectBatch {
  readonly folder: string;
  readonly #packed = new Map<Digest, Uint8Array>();
  #bytes = 0;

  /** `folder`: the object folder. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** `packed`: the file of the object. Fails with `cannot-write`. */
  async add(digest: Digest, packed: Uint8Array): Promise<void> {
    if (this.#packed.has(digest)) return;
    this.#packed.set(digest, packed);
    this.#bytes += packed.length;
    if (this.#packed.size >= maxObjects || this.#bytes >= maxBytes) await this.commit();
  }

  /** Keeps existing intact objects and replaces damaged ones. Fails with `cannot-write`. */
  async commit(): Promise<void> {
    if (this.#packed.size === 0) return;
    makeFolder(this.folder);
    sweepFolder(this.folder);
    const temporary = new Map<string, string>();
    try {
      for (const [digest, packed] of this.#packed)
        if (!(await isIntactObject(this.folder, digest)))
          temporary.set(memberPath(this.folder, digest), writeUnsynced(this.folder, packed));
      await syncFiles(
        this.folder,
        [...temporary.values()].map((path) => basename(path)),
      );
      await this.#moveAll(temporary);
    } catch (error) {
      for (const path of temporary.values()) removeQuietly(path);
      throw error;
    }
    this.discard();
  }

  /** Renames synced files, by target, and makes the names durable. */
  async #moveAll(temporary: ReadonlyMap<string, string>): Promise<void> {
    const shards = new Set([...temporary.keys()].map((target) => dirname(target)));
    for (const shard of shards) makeFolder(shard);
    for (const [target, path] of temporary) wrapWriteErrors(target, () => renameSync(path, target));
    await syncFolders(this.folder, [...shards]);
  }

  /** Forgets objects that are not written yet. */
  discard(): void {
    this.#packed.clear();
    this.#bytes = 0;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was renamed, or the next write removes it.
  }
}
