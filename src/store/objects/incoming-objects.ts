import type { Digest } from "../../core/versions/index.ts";
import { isFolder, makeFolder, makeFolders, syncFiles, syncFolders, wrapWriteErrors } from "../durable/index.ts";
import { memberPath } from "./object-paths.ts";
import type { Objects } from "./objects.ts";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";

/** Files packed in parallel. */
const packConcurrency = 16;

/** Fast for tens of thousands of objects; the output is about 10 % larger than at the default level. */
const quickLevel = 1;

/**
 * Adds many objects to a store at once. Each is packed into a staging folder; `commit` makes them durable and then
 * moves them into the store.
 */
export class IncomingObjects {
  readonly #objects: Objects;
  readonly #folder: string;
  #names: Digest[] = [];
  #packing: Promise<void>[] = [];
  #isDiscarded = false;

  /**
   * `folder`: staging folder on the file system of the store, for this use only. Removes leftovers of a killed process.
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
   * Adds verified bytes, and `packed`, the zlib stream they were unpacked from, if any: it is stored unchanged. Fails
   * with `cannot-write`.
   */
  async stage(digest: Digest, plain: Uint8Array, packed?: Uint8Array): Promise<void> {
    this.#names.push(digest);
    if (packed !== undefined) return this.#write(digest, packed);
    const packing = this.#pack(digest, plain);
    // `#settle` reports the error; it is not called after `discard`.
    packing.catch(() => {});
    this.#packing.push(packing);
    if (this.#packing.length < packConcurrency) return;
    await this.#settle();
  }

  /** Durable once it returns. Intact objects of the store are not replaced. */
  async commit(): Promise<void> {
    await this.#settle();
    const names = [...new Set(this.#names)];
    await syncFiles(
      this.#folder,
      names.map((name) => join(this.#folder, name)),
    );
    const targets = names.map((name) => memberPath(this.#objects.folder, name));
    const shards = [...new Set(targets.map((target) => dirname(target)))];
    makeFolders(shards);
    for (const [at, name] of names.entries()) {
      const target = targets[at] as string;
      if (!this.#objects.isIntact(name)) wrapWriteErrors(target, () => renameSync(join(this.#folder, name), target));
    }
    await syncFolders(this.#objects.folder, shards);
    this.discard();
  }

  discard(): void {
    this.#isDiscarded = true;
    if (isFolder(this.#folder))
      wrapWriteErrors(this.#folder, () => rmSync(this.#folder, { recursive: true, force: true }));
    this.#names = [];
  }

  async #pack(digest: Digest, plain: Uint8Array): Promise<void> {
    this.#write(digest, await promisify(deflate)(plain, { level: quickLevel }));
  }

  #write(digest: Digest, packed: Uint8Array): void {
    const path = join(this.#folder, digest);
    if (!this.#isDiscarded) wrapWriteErrors(path, () => writeFileSync(path, packed));
  }

  async #settle(): Promise<void> {
    const packing = this.#packing;
    this.#packing = [];
    await Promise.all(packing);
  }
}
