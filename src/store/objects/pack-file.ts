import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Digest } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { PackError, PackReader, decompressGroup, sliceOfGroup, type PackedEntry } from "../../formats/store/index.ts";
import { errnoOf, wrapReadErrors } from "../durable/index.ts";

/** Plain bytes of groups that are cached; the last group is cached whatever its size. */
const cacheBytes = 2 ** 21;

/** An open pack. It stays readable after another process has deleted its file. */
export class PackFile {
  readonly path: string;
  readonly #fd: number;
  readonly #reader: PackReader;
  /** By number, the least recently used first. */
  readonly #groups = new Map<number, Uint8Array>();
  #cached = 0;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Failure("not-a-plain-file", { path, found: "something else" });
    this.#reader = this.#checked(() => new PackReader((offset, length) => this.#read(offset, length), stat.size));
  }

  /** Null if the file no longer exists. Fails with `pack-damaged`, `not-a-plain-file`, `cannot-read`. */
  static open(path: string): PackFile | null {
    const fd = openOrNull(path);
    if (fd === null) return null;
    try {
      return new PackFile(path, fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** The number of objects. */
  get count(): number {
    return this.#reader.count;
  }

  has(digest: Digest): boolean {
    return this.#checked(() => this.#reader.find(digest)) !== null;
  }

  /** The plain form of an object, not yet verified; null if it is not in this pack. Fails with `pack-damaged`. */
  plain(digest: Digest): Uint8Array | null {
    const location = this.#checked(() => this.#reader.find(digest));
    return location === null ? null : this.plainOf({ digest, ...location });
  }

  /** The plain form at a location, not yet verified. Fails with `pack-damaged`. */
  plainOf(entry: PackedEntry): Uint8Array {
    return this.#checked(() => sliceOfGroup(this.#group(entry.group), entry));
  }

  /** All entries in the order of their groups. Fails with `pack-damaged`. */
  *entries(): Generator<PackedEntry> {
    const entries = this.#reader.entries();
    for (;;) {
      const next = this.#checked(() => entries.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  #group(number: number): Uint8Array {
    const known = this.#groups.get(number);
    if (known !== undefined) this.#groups.delete(number);
    const group = known ?? this.#unpackGroup(number);
    this.#groups.set(number, group);
    return group;
  }

  #unpackGroup(number: number): Uint8Array {
    const location = this.#reader.group(number);
    const group = decompressGroup(this.#reader.packedBytes(location), location);
    this.#cached += group.length;
    for (const [old, bytes] of this.#groups) {
      if (this.#cached <= cacheBytes) break;
      this.#groups.delete(old);
      this.#cached -= bytes.length;
    }
    return group;
  }

  #read(offset: number, length: number): Uint8Array {
    return wrapReadErrors(this.path, () => {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const count = readSync(this.#fd, bytes, filled, length - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    });
  }

  #checked<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (error instanceof PackError) throw new Failure("pack-damaged", { path: this.path, reason: error.message });
      throw error;
    }
  }
}

function openOrNull(path: string): number | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    return openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return null;
    if (errnoOf(error) === "ELOOP") throw new Failure("not-a-plain-file", { path, found: "a symbolic link" });
    return wrapReadErrors(path, () => {
      throw error;
    });
  }
}
