import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Digest } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import {
  decodeObject,
  encodeObject,
  packObject,
  unpackObject,
  verifyObject,
  type StoredObject,
  isIndex,
} from "../../formats/store/index.ts";
import { createDurably, makeFolder, writeIntoShard, readRegularFile, lstatOrNull } from "../durable/index.ts";
import { openObjectStream, type ObjectStream } from "./object-stream.ts";
import { memberPath, readablePath } from "./object-paths.ts";

/** present: it was stored and intact. healed: the stored file was damaged and has been rewritten. */
export type PutState = "stored" | "present" | "healed";

export interface PutResult {
  readonly digest: Digest;
  readonly state: PutState;
}

/** Larger files are not checked for being an index, which has some hundred bytes per profile. */
const maxIndexBytes = 16 * 1024 * 1024;

/** Objects addressed by the SHA-1 of their bytes, each written once and verified on every read. */
export class Objects {
  readonly folder: string;
  readonly #quarantine: string;

  constructor(folder: string, quarantine: string) {
    this.folder = folder;
    this.#quarantine = quarantine;
  }

  /**
   * Stores the object unless it is present; durable once it returns. Verifies an existing file and rewrites it if it is
   * damaged. Fails with `digest-collision` if the file has different bytes with the same digest, and keeps both.
   */
  put(kind: StoredObject["kind"], type: string, body: Uint8Array): PutResult {
    const { plain, digest } = encodeObject(kind, type, body);
    const path = memberPath(this.folder, digest);
    const existing = this.#lookUp(digest);
    if (existing === "absent" || existing === "damaged") {
      writeIntoShard(this.folder, path, [packObject(plain)]);
      return { digest, state: existing === "absent" ? "stored" : "healed" };
    }
    if (
      existing !== "index" &&
      existing.kind === kind &&
      existing.type === type &&
      Buffer.compare(existing.body, body) === 0
    )
      return { digest, state: "present" };
    throw this.#collision(digest, packObject(plain));
  }

  /**
   * Fails with `object-missing`, `not-an-object` (a version index) or `object-damaged` (also beyond `cap` unpacked
   * bytes).
   */
  get(digest: Digest, cap?: number): StoredObject {
    const bytes = this.#file(digest);
    if (bytes === null) throw new Failure("object-missing", { digest });
    if (isIndex(bytes)) throw new Failure("not-an-object", { digest });
    return decodeObject(bytes, digest, cap);
  }

  /** The verified bytes that are hashed: header and body. Fails like `get`. */
  plain(digest: Digest): Uint8Array {
    const bytes = this.#file(digest);
    if (bytes === null) throw new Failure("object-missing", { digest });
    if (isIndex(bytes)) throw new Failure("not-an-object", { digest });
    const plain = unpackObject(bytes, digest);
    verifyObject(plain, digest);
    return plain;
  }

  /** Whether a file of that name exists; it may be damaged, or an index. */
  has(digest: Digest): boolean {
    const path = readablePath(this.folder, digest);
    return path !== null && lstatOrNull(path) !== null;
  }

  /** Whether the object exists and is undamaged. */
  isIntact(digest: Digest): boolean {
    try {
      return this.has(digest) && this.plain(digest).length > 0;
    } catch (error) {
      if (isFailure(error, "object-damaged")) return false;
      throw error;
    }
  }

  #file(digest: Digest): Uint8Array | null {
    const path = readablePath(this.folder, digest);
    return path === null ? null : readRegularFile(path);
  }

  /** The object as a stream, of any size; verified once it is read to its end. Fails like `get`. */
  async open(digest: Digest): Promise<ObjectStream> {
    const path = readablePath(this.folder, digest);
    const stat = path === null ? null : lstatOrNull(path);
    if (path === null || stat === null) throw new Failure("object-missing", { digest });
    if (!stat.isFile()) throw new Failure("not-a-plain-file", { path, found: "something else" });
    if (stat.size < maxIndexBytes && isIndex(readRegularFile(path) ?? new Uint8Array(0)))
      throw new Failure("not-an-object", { digest });
    return openObjectStream(path, digest, stat.size);
  }

  #lookUp(digest: Digest): StoredObject | "absent" | "damaged" | "index" {
    const bytes = this.#file(digest);
    if (bytes === null) return "absent";
    // Only when a version and an object have the same SHA-1: the index is kept, because its loss would be worse.
    if (isIndex(bytes)) return "index";
    try {
      return decodeObject(bytes, digest);
    } catch (error) {
      if (isFailure(error, "object-damaged")) return "damaged";
      throw error;
    }
  }

  #collision(digest: Digest, packed: Uint8Array): Failure {
    makeFolder(this.#quarantine);
    const count = readdirSync(this.#quarantine).length;
    for (let number = count; ; number++) {
      const path = join(this.#quarantine, `${digest}-${number}`);
      if (createDurably(path, [packed])) return new Failure("digest-collision", { digest, kept: path });
    }
  }
}
