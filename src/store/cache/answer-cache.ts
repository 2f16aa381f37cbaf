import { createHash, hash } from "node:crypto";
import { chmodSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { makeFolder, writeDurably, listFolder, readRegularFile } from "../durable/index.ts";

/** Limits of the cache in bytes, in total and per entry. */
export interface CacheLimits {
  readonly totalBytes: number;
  readonly entryBytes: number;
}

const defaultLimits: CacheLimits = { totalBytes: 64 << 20, entryBytes: 16 << 20 };

const digestLength = 32;

/** The key of an answer: a hash of `parts`. */
export function answerKey(parts: readonly (string | number | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A hash of a long text or of bytes, as a part of a key. */
export function digestKey(long: string | Uint8Array): string {
  return hash("sha256", long);
}

/**
 * Caches answers in a private folder of the user, one file each: the SHA-256 of the rest, then the answer in V8's
 * serialization format. Files are written atomically; damaged ones are deleted. Errors count as cache misses; no method
 * fails.
 */
export class AnswerCache {
  readonly #folder: string;
  readonly #limits: CacheLimits;
  /** Known free bytes. Other processes that add answers check the limit themselves. */
  #freeBytes = 0;

  constructor(folder: string, limits: CacheLimits = defaultLimits) {
    [this.#folder, this.#limits] = [folder, limits];
  }

  /** Maximum total size of all answers. */
  get totalBytes(): number {
    return this.#limits.totalBytes;
  }

  /** undefined on a miss. `now` (seconds since 1970) becomes the time of last use. */
  get(key: string, now: number): unknown {
    return quietly(() => {
      const path = join(this.#folder, key);
      const bytes = readRegularFile(path, this.#limits.entryBytes + digestLength);
      if (bytes === null) return undefined;
      const body = bytes.subarray(digestLength);
      if (Buffer.compare(bytes.subarray(0, digestLength), digestOf(body)) !== 0) {
        unlinkSync(path);
        return undefined;
      }
      utimesSync(path, now, now);
      return deserialize(body) as unknown;
    });
  }

  /** Stores an answer, evicting the least recently used ones. Returns whether it was stored. */
  put(key: string, answer: unknown): boolean {
    const isStored = quietly(() => {
      const body = serialize(answer);
      if (body.length > this.#limits.entryBytes) return false;
      makeFolder(this.#folder);
      // Other users of this machine may not have the right to read the data in the answers.
      chmodSync(this.#folder, 0o700);
      writeDurably(join(this.#folder, key), [digestOf(body), body]);
      this.#freeBytes -= body.length + digestLength;
      if (this.#freeBytes < 0) this.#trim(key);
      return true;
    });
    return isStored === true;
  }

  /** Listing all answers is slow, so this evicts slightly more than necessary. */
  #trim(newest: string): void {
    const files = listFolder(this.#folder).flatMap(({ name }) =>
      /^[0-9a-f]{64}$/.test(name) && name !== newest ? [this.#file(name)] : [],
    );
    const own = statSync(join(this.#folder, newest)).size;
    const used = files.reduce((sum, { size }) => sum + size, own);
    const limit = used > this.#limits.totalBytes ? this.#limits.totalBytes * (31 / 32) : this.#limits.totalBytes;
    let total = own;
    let retained = own;
    for (const { path, size } of files.sort((a, b) => b.used - a.used)) {
      total += size;
      if (total > limit) quietly(() => unlinkSync(path));
      else retained = total;
    }
    this.#freeBytes = this.#limits.totalBytes - retained;
  }

  #file(name: string): { path: string; size: number; used: number } {
    const path = join(this.#folder, name);
    const facts = statSync(path, { throwIfNoEntry: false });
    return { path, size: facts?.size ?? 0, used: facts?.mtimeMs ?? 0 };
  }
}

function digestOf(body: Uint8Array): Uint8Array {
  return createHash("sha256").update(body).digest();
}

function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
