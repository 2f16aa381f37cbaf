import type { Digest } from "../../core/versions/index.ts";
import { isFolder, makeFolder, makeFolders, syncFiles, syncFolders, wrapWriteErrors } from "../durable/index.ts";
import { memberPath } from "./object-paths.ts";
import type { Objects } from "./objects.ts";
import { renameSync, rmSync, writeFile } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";

/** Files packed and written in parallel. */
const concurrency = 16;

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
  #storing: Promise<void>[] = [];

  /**
   * `folder`: staging folder on the file system of the store, for this use only. Removes leftovers of a killed process.
   */
  constructor(objects: Objects, folder: string) {
    this.#objects = objects;
    this.#folder = folder;
    this.#removeFolder();
    makeFolder(folder);
  }

  get count(): number {
    return this.#names.length;
  }

  /**
   * Adds verified bytes, and `packed`, the zlib stream they were unpacked from, if any: it is stored unchanged. Neither
   * may change afterwards. Fails with `cannot-write`, perhaps for an earlier object.
   */
  async stage(digest: Digest, plain: Uint8Array, packed?: Uint8Array): Promise<void> {
    this.#names.push(digest);
    const storing = packed === undefined ? this.#pack(digest, plain) : this.#write(digest, packed);
    // `#settle` reports the error; it is not called after `discard`.
    storing.catch(() => {});
    this.#storing.push(storing);
    if (this.#storing.length < concurrency) return;
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
    await this.discard();
  }

  /** Waits for files that are being written, and removes all. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#storing);
    this.#storing = [];
    this.#removeFolder();
    this.#names = [];
  }

  #removeFolder(): void {
    if (isFolder(this.#folder))
      wrapWriteErrors(this.#folder, () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  async #pack(digest: Digest, plain: Uint8Array): Promise<void> {
    await this.#write(digest, await promisify(deflate)(plain, { level: quickLevel }));
  }

  /** Off the main thread, which verifies the next objects meanwhile. */
  async #write(digest: Digest, packed: Uint8Array): Promise<void> {
    const path = join(this.#folder, digest);
    await promisify(writeFile)(path, packed).catch((error: unknown) =>
      wrapWriteErrors(path, () => {
        throw error;
      }),
    );
  }

  async #settle(): Promise<void> {
    const storing = this.#storing;
    this.#storing = [];
    // All, since `discard` must not remove the folder of a file that is being written.
    const failed = (await Promise.allSettled(storing)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
}
