import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Digest } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import {
  decodeObject,
  encodeObject,
  packObject,
  unpackObject,
  verifyObject,
  type StoredObject,
} from "../../formats/store/object.ts";
import { isIndex } from "../../formats/store/version-index.ts";
import { createDurably, makeFolder, writeIntoShard } from "../durable/durable-file.ts";
import { openObjectStream, type ObjectStream } from "./object-stream.ts";
import { readPlainFile, statOf } from "../durable/regular-file.ts";
import { memberPath, readablePath } from "./object-paths.ts";

/** present: it was there, whole. healed: what was there under its name was damaged and has been rewritten. */
export type PutState = "stored" | "present" | "healed";

export interface PutResult {
  readonly digest: Digest;
  readonly state: PutState;
}

/** Files below this size are looked into for being an index: those have some hundred bytes for each profile. */
const smallest = 16 * 1024 * 1024;

/** Objects by the SHA-1 of their content, each written once and verified at every reading. */
export class Objects {
  readonly folder: string;
  readonly #quarantine: string;

  constructor(folder: string, quarantine: string) {
    this.folder = folder;
    this.#quarantine = quarantine;
  }

  /**
   * Stores the object unless it is there; durable once it returns. A file that stands under the name is never trusted:
   * it is verified, and rewritten when it is damaged. Fails with `digest-collision` when it holds other content of the
   * same digest: both are kept then.
   */
  put(kind: StoredObject["kind"], type: string, body: Uint8Array): PutResult {
    const { plain, digest } = encodeObject(kind, type, body);
    const path = memberPath(this.folder, digest);
    const found = this.#found(digest);
    if (found === "absent" || found === "damaged") {
      writeIntoShard(this.folder, path, [packObject(plain)]);
      return { digest, state: found === "absent" ? "stored" : "healed" };
    }
    if (found !== "index" && found.kind === kind && found.type === type && Buffer.compare(found.body, body) === 0)
      return { digest, state: "present" };
    throw this.#collision(digest, packObject(plain));
  }

  /**
   * Fails with `object-missing`, `not-an-object` (a version index), `object-damaged` (also when it unpacks to more than
   * `cap` bytes).
   */
  get(digest: Digest, cap?: number): StoredObject {
    const bytes = this.#file(digest);
    if (bytes === null) throw new Failure("object-missing", { digest });
    if (isIndex(bytes)) throw new Failure("not-an-object", { digest });
    return decodeObject(bytes, digest, cap);
  }

  /** The bytes that are hashed, header and body, verified. Fails like `get`. */
  plain(digest: Digest): Uint8Array {
    const bytes = this.#file(digest);
    if (bytes === null) throw new Failure("object-missing", { digest });
    if (isIndex(bytes)) throw new Failure("not-an-object", { digest });
    const plain = unpackObject(bytes, digest);
    verifyObject(plain, digest);
    return plain;
  }

  /** Whether something stands under the name; it may be damaged, or an index. */
  has(digest: Digest): boolean {
    const path = readablePath(this.folder, digest);
    return path !== null && statOf(path) !== null;
  }

  /** Whether the object is there and undamaged. */
  isWhole(digest: Digest): boolean {
    try {
      return this.has(digest) && this.plain(digest).length > 0;
    } catch (error) {
      if (isFailure(error, "object-damaged")) return false;
      throw error;
    }
  }

  #file(digest: Digest): Uint8Array | null {
    const path = readablePath(this.folder, digest);
    return path === null ? null : readPlainFile(path);
  }

  /** The object in pieces, whatever its size; verified once it has been read to its end. Fails like `get`. */
  async open(digest: Digest): Promise<ObjectStream> {
    const path = readablePath(this.folder, digest);
    const stat = path === null ? null : statOf(path);
    if (path === null || stat === null) throw new Failure("object-missing", { digest });
    if (!stat.isFile()) throw new Failure("not-a-plain-file", { path, found: "something else" });
    if (stat.size < smallest && isIndex(readPlainFile(path) ?? new Uint8Array(0)))
      throw new Failure("not-an-object", { digest });
    return openObjectStream(path, digest, stat.size);
  }

  #found(digest: Digest): StoredObject | "absent" | "damaged" | "index" {
    const bytes = this.#file(digest);
    if (bytes === null) return "absent";
    // An index is named by a version, so this takes a version and an object of the same SHA-1; losing the index would
    // be worse.
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
      const kept = join(this.#quarantine, `${digest}-${number}`);
      if (createDurably(kept, [packed])) return new Failure("digest-collision", { digest, kept });
    }
  }
}
