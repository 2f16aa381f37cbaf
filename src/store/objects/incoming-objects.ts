import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { Digest } from "../../core/versions/digest.ts";
import { makeFolder, syncFolder } from "../durable/durable-file.ts";
import { writing } from "../durable/file-failure.ts";
import type { Objects } from "./objects.ts";
import { isFolder } from "../durable/regular-file.ts";
import { memberPath } from "./object-paths.ts";
import { syncFiles } from "../durable/sync-files.ts";

/** So many files are packed at a time. */
const together = 16;

/** Quick, and a tenth larger than the usual level: what arrives by the ten thousand should not wait for it. */
const quickLevel = 1;

/**
 * Objects on their way into a store, many at once: each is packed into a folder aside; `keep` makes all of them durable
 * and then gives them their names. Until then the store has none of them.
 */
export class IncomingObjects {
  readonly #objects: Objects;
  readonly #folder: string;
  #names: Digest[] = [];
  #packing: Promise<void>[] = [];
  #isDiscarded = false;

  /**
   * `folder` is on the file system of the store and holds nothing else; what a killed process left there is removed.
   */
  constructor(objects: Objects, folder: string) {
    this.#objects = objects;
    this.#folder = folder;
    this.discard();
    this.#isDiscarded = false;
    makeFolder(folder);
  }

  get count(): number {
    return this.#names.length;
  }

  /**
   * Takes verified bytes, and the zlib stream that they were unpacked from if there was one: it is kept as it is. Fails
   * with `cannot-write`.
   */
  async stage(digest: Digest, plain: Uint8Array, packed?: Uint8Array): Promise<void> {
    this.#names.push(digest);
    if (packed !== undefined) return this.#write(digest, packed);
    const packing = this.#pack(digest, plain);
    // Whoever waits hears of it; nobody waits for what is discarded.
    packing.catch(() => {});
    this.#packing.push(packing);
    if (this.#packing.length < together) return;
    await this.#settle();
  }

  /** Durable once it returns. What stands under a name already, whole, stays. */
  async keep(): Promise<void> {
    await this.#settle();
    await syncFiles(this.#folder, readdirSync(this.#folder));
    const shards = new Set<string>();
    for (const digest of this.#names) {
      const target = memberPath(this.#objects.folder, digest);
      const shard = target.slice(0, -39);
      if (!shards.has(shard)) makeFolder(shard);
      shards.add(shard);
      if (!this.#objects.isWhole(digest)) writing(target, () => renameSync(join(this.#folder, digest), target));
    }
    for (const shard of shards) syncFolder(shard);
    this.discard();
  }

  discard(): void {
    this.#isDiscarded = true;
    if (isFolder(this.#folder)) writing(this.#folder, () => rmSync(this.#folder, { recursive: true, force: true }));
    this.#names = [];
  }

  async #pack(digest: Digest, plain: Uint8Array): Promise<void> {
    this.#write(digest, await promisify(deflate)(plain, { level: quickLevel }));
  }

  #write(digest: Digest, packed: Uint8Array): void {
    const path = join(this.#folder, digest);
    if (!this.#isDiscarded) writing(path, () => writeFileSync(path, packed));
  }

  async #settle(): Promise<void> {
    const packing = this.#packing;
    this.#packing = [];
    await Promise.all(packing);
  }
}
