import { dirname, join } from "node:path";
import type { Digest } from "../../core/versions/index.ts";
import { Failure, isFailure, valueOrFailure } from "../../core/failures/index.ts";
import {
  decodeObject,
  encodeObject,
  packObject,
  unpackObject,
  verifyObject,
  type StoredObject,
  isIndex,
} from "../../formats/store/index.ts";
import {
  createDurably,
  listFolder,
  makeFolder,
  type NewContents,
  readRegularFile,
  lstatOrNull,
  replaceEachNow,
} from "../durable/index.ts";
import { openObjectStream, streamOfPlain, type ObjectStream } from "./object-stream.ts";
import { PackSet } from "./pack-set.ts";
import { memberPath, readablePath } from "./object-paths.ts";

/** present: it was stored and intact. healed: the stored file was damaged and has been rewritten. */
export type PutState = "stored" | "present" | "healed";

export interface PutResult {
  readonly digest: Digest;
  readonly state: PutState;
}

/** Larger files are not checked for being an index, which has some hundred bytes per profile. */
const maxIndexBytes = 16 * 1024 * 1024;

/** Readers look so often for an object that other processes are packing and unpacking. */
const attempts = 3;

/**
 * Objects addressed by the SHA-1 of their bytes, each written once and verified on every read. They are loose (a file
 * each, in `folder`) or in packs, in the folder next to it.
 */
export class Objects {
  readonly folder: string;
  readonly packs: PackSet;
  readonly quarantine: string;

  constructor(folder: string, quarantine: string) {
    this.folder = folder;
    this.packs = new PackSet(join(dirname(folder), "packs"));
    this.quarantine = quarantine;
  }

  /**
   * Stores the object unless it is present; durable once it returns. Verifies an existing file and rewrites it if it is
   * damaged. Fails with `digest-collision` if the file has different bytes with the same digest, and keeps both.
   */
  put(kind: StoredObject["kind"], type: string, body: Uint8Array): PutResult {
    const [result] = this.putAll([{ kind, type, body }]) as [PutResult | Failure];
    if (result instanceof Failure) throw result;
    return result;
  }

  /** Like `put` for each of the objects, with few syncs. Returns results in order, or why an object was not stored. */
  putAll(objects: readonly StoredObject[]): (PutResult | Failure)[] {
    const files: NewContents[] = [];
    const added = new Map<Digest, StoredObject>();
    const prepare = ({ kind, type, body }: StoredObject): PutResult => {
      const { plain, digest } = encodeObject(kind, type, body);
      const existing = added.get(digest) ?? this.#lookUp(digest);
      if (existing === "absent" || existing === "damaged") {
        files.push({ path: memberPath(this.folder, digest), bytes: packObject(plain) });
        added.set(digest, { kind, type, body });
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
    };
    const results = objects.map((each) => valueOrFailure(() => prepare(each)));
    const failures = replaceEachNow(this.folder, files);
    return results.map((result) =>
      result instanceof Failure ? result : (failures.get(memberPath(this.folder, result.digest)) ?? result),
    );
  }

  /**
   * Fails with `object-missing`, `not-an-object` (a version index) or `object-damaged` (also beyond `cap` unpacked
   * bytes), `pack-damaged` (it may be in a pack that cannot be read).
   */
  get(digest: Digest, cap?: number): StoredObject {
    return this.#read(
      digest,
      (file) => decodeObject(file, digest, cap),
      (plain) => verifyObject(plain, digest),
    );
  }

  /** The verified bytes that are hashed: header and body. Fails like `get`. */
  plain(digest: Digest): Uint8Array {
    return this.withStream(digest).bytes;
  }

  /** Like `plain`, with the zlib stream of these bytes if the object is loose. */
  withStream(digest: Digest): { readonly bytes: Uint8Array; readonly stream?: Uint8Array } {
    const unpack = (file: Uint8Array): { bytes: Uint8Array; stream: Uint8Array } => {
      const bytes = unpackObject(file, digest);
      verifyObject(bytes, digest);
      return { bytes, stream: file };
    };
    return this.#read<{ bytes: Uint8Array; stream?: Uint8Array }>(digest, unpack, (bytes) => ({ bytes }));
  }

  /** Whether a file or a pack has the object; it may be damaged, or an index. */
  has(digest: Digest): boolean {
    const isLoose = (): boolean => {
      const path = readablePath(this.folder, digest);
      return path !== null && lstatOrNull(path) !== null;
    };
    return isLoose() || this.packs.has(digest) || isLoose();
  }

  /** Whether an undamaged copy of the object exists. */
  isIntact(digest: Digest): boolean {
    try {
      return this.has(digest) && this.plain(digest).length > 0;
    } catch (error) {
      if (isFailure(error, "object-damaged") || isFailure(error, "pack-damaged")) return false;
      throw error;
    }
  }

  /** The bytes of the file of a loose object or an index; null if there is none. */
  looseFile(digest: Digest): Uint8Array | null {
    const path = readablePath(this.folder, digest);
    return path === null ? null : readRegularFile(path);
  }

  /** The object as a stream, of any size; verified once it is read to its end. Fails like `get`. */
  async open(digest: Digest): Promise<ObjectStream> {
    const path = memberPath(this.folder, digest);
    for (let attempt = 1; ; attempt++) {
      const stat = readablePath(this.folder, digest) === null ? null : lstatOrNull(path);
      if (stat === null) return streamOfPlain(this.plain(digest), digest);
      if (!stat.isFile()) throw new Failure("not-a-plain-file", { path, found: "something else" });
      if (stat.size < maxIndexBytes && isIndex(readRegularFile(path) ?? new Uint8Array(0)))
        throw new Failure("not-an-object", { digest });
      try {
        return await openObjectStream(path, digest, stat.size);
      } catch (error) {
        // The file may have been packed since.
        if (attempt === attempts || lstatOrNull(path) !== null) throw error;
      }
    }
  }

  /** A loose object first, since a damaged pack is repaired by storing its objects loose again. */
  #read<T>(digest: Digest, ofFile: (file: Uint8Array) => T, ofPlain: (plain: Uint8Array) => T): T {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const file = this.looseFile(digest);
      if (file !== null) return this.#decodeLoose(digest, file, ofFile, ofPlain);
      const packed = this.packs.plain(digest);
      if (packed !== null) return ofPlain(packed);
    }
    throw this.packs.damage ?? new Failure("object-missing", { digest });
  }

  #decodeLoose<T>(
    digest: Digest,
    file: Uint8Array,
    ofFile: (file: Uint8Array) => T,
    ofPlain: (plain: Uint8Array) => T,
  ): T {
    if (isIndex(file)) throw new Failure("not-an-object", { digest });
    try {
      return ofFile(file);
    } catch (error) {
      const packed = isFailure(error, "object-damaged") ? this.#intactInPacks(digest) : null;
      if (packed === null) throw error;
      return ofPlain(packed);
    }
  }

  #intactInPacks(digest: Digest): Uint8Array | null {
    try {
      return this.packs.plain(digest);
    } catch (error) {
      if (isFailure(error, "object-damaged")) return null;
      throw error;
    }
  }

  #lookUp(digest: Digest): StoredObject | "absent" | "damaged" | "index" {
    const bytes = this.looseFile(digest);
    // Only when a version and an object have the same SHA-1: the index is kept, because its loss would be worse.
    if (bytes !== null && isIndex(bytes)) return "index";
    try {
      if (bytes !== null) return decodeObject(bytes, digest);
      const packed = this.packs.plain(digest);
      return packed === null ? "absent" : verifyObject(packed, digest);
    } catch (error) {
      if (isFailure(error, "object-damaged")) return "damaged";
      throw error;
    }
  }

  #collision(digest: Digest, packed: Uint8Array): Failure {
    makeFolder(this.quarantine);
    const count = listFolder(this.quarantine).length;
    for (let number = count; ; number++) {
      const path = join(this.quarantine, `${digest}-${number}`);
      if (createDurably(path, [packed])) return new Failure("digest-collision", { digest, kept: path });
    }
  }
}
