import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import {
  encodeGitPackIndex,
  gitBlobId,
  gitPackHeader,
  packedBlobHeader,
  type PackEntry,
} from "../../../formats/store/index.ts";
import { NewFile } from "../../../store/durable/index.ts";

/**
 * Writes many blobs as one git pack with the zlib streams that the store already has: compressing them again would be
 * most of the time of a large push.
 */
export class BlobPack {
  /** The entries, without the header of the pack, which starts with their number. */
  readonly #entries: NewFile;
  readonly #index = new Map<string, PackEntry>();
  #length = gitPackHeader(0).length;

  /** `folder`: for the unfinished pack. Fails with `cannot-write`. */
  constructor(folder: string) {
    this.#entries = new NewFile(folder);
  }

  /**
   * Returns the blob id. `stream`: the zlib stream of exactly `bytes`. All streams together have less than 2^31 bytes.
   * Fails with `cannot-write`.
   */
  add(bytes: Uint8Array, stream: Uint8Array = deflateSync(bytes, { level: 1 })): string {
    const id = gitBlobId(bytes);
    if (this.#index.has(id)) return id;
    const { header, check } = packedBlobHeader(bytes.length, stream);
    this.#index.set(id, { id, check, begin: this.#length });
    this.#entries.write(header);
    this.#entries.write(stream);
    this.#length += header.length + stream.length;
    return id;
  }

  /** Stores the blobs in the git repository in `folder`, durably. Fails with `cannot-write`. */
  async store(folder: string): Promise<void> {
    try {
      if (this.#index.size > 0) await this.#store(join(folder, "objects", "pack"));
    } finally {
      this.discard();
    }
  }

  discard(): void {
    this.#entries.discard();
  }

  /** Git looks for indexes first, so that the pack is there before its index. */
  async #store(packs: string): Promise<void> {
    const pack = new NewFile(packs);
    const digest = createHash("sha1");
    const write = (bytes: Uint8Array): void => {
      digest.update(bytes);
      pack.write(bytes);
    };
    write(gitPackHeader(this.#index.size));
    const entries = createReadStream(this.#entries.path, { highWaterMark: 1 << 20 });
    try {
      for await (const bytes of entries as AsyncIterable<Buffer>) write(bytes);
    } catch (error) {
      pack.discard();
      throw error;
    }
    const id = digest.digest();
    pack.write(id);
    const stem = join(packs, `pack-${id.toString("hex")}`);
    pack.replace(`${stem}.pack`);
    const index = new NewFile(packs);
    index.write(encodeGitPackIndex([...this.#index.values()], id));
    index.replace(`${stem}.idx`);
  }
}
