import type { Digest } from "../../core/versions/index.ts";
import { type NewContents, replaceTogether } from "../durable/index.ts";
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
    const files: NewContents[] = [];
    for (const [digest, bytes] of this.#packed)
      if (!(await isIntactObject(this.folder, digest))) files.push({ path: memberPath(this.folder, digest), bytes });
    await replaceTogether(this.folder, files);
    this.discard();
  }

  /** Forgets objects that are not written yet. */
  discard(): void {
    this.#packed.clear();
    this.#bytes = 0;
  }
}
