import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";
import { createDeflate, type Deflate } from "node:zlib";
import type { Digest } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { joinedBytes } from "../../formats/bytes/concatenate.ts";
import { makeFolder, NewFile } from "../durable/durable-file.ts";
import { openObjectStream } from "./object-stream.ts";
import { statOf } from "../durable/regular-file.ts";
import { memberPath, readablePath } from "./object-paths.ts";

/** What is known of an input once it has been read to its end. */
export interface RawFacts {
  readonly sha256: string;
  readonly bytes: number;
  /** The object that keeps its bytes, where one does. */
  readonly object?: Digest;
}

/** Sees the bytes of an input pass. */
export interface RawWitness {
  write(chunk: Uint8Array): Promise<void>;
  /** After the last write. Fails with `file-changed` when the input was not as long as announced. */
  facts(path: string): RawFacts;
  /** After `facts`: the bytes are kept, durably, once it returns. */
  keep(): Promise<void>;
  discard(): void;
}

/** Measures an input as it streams by. */
export class RawDigest implements RawWitness {
  readonly #sha256: Hash = createHash("sha256");
  #bytes = 0;

  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    this.#sha256.update(chunk);
  }

  facts(): RawFacts {
    return { sha256: this.#sha256.digest("hex"), bytes: this.#bytes };
  }

  async keep(): Promise<void> {}

  discard(): void {}
}

/**
 * So many bytes the parser may be ahead of the packer before it has to wait: enough for both to work all the time. What
 * comes out at once is more than a piece of an input packs to, since the packer comes to a stop until our own thread
 * has a moment for what it gives.
 */
const packing = { level: 1, chunkSize: 4 << 20, highWaterMark: 32 << 20 };

/**
 * So many bytes go to the packer at once while it is busy: behind each piece it waits for our own thread, which may be
 * busy parsing.
 */
const packedAtOnce = 8 << 20;

/**
 * Keeps the bytes of an input as an `attachment raw` object while they stream by. Packing runs on a thread of zlib
 * beside the parser, at its fastest level: inputs are large, and read again only to rebuild.
 */
export class RawFile implements RawWitness {
  readonly #objects: string;
  readonly #file: NewFile;
  readonly #pack: Deflate = createDeflate(packing);
  readonly #sha1: Hash = createHash("sha1");
  readonly #sha256: Hash = createHash("sha256");
  readonly #size: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #failure: unknown;
  #packed: Promise<void> = Promise.resolve();
  #digest: Digest | undefined;

  /** `size`: the length of the input, which the object names before its bytes. */
  constructor(objects: string, size: number) {
    this.#objects = objects;
    this.#size = size;
    this.#file = new NewFile(objects);
    this.#pack.on("data", (packed: Uint8Array) => this.#keep(packed));
    const header = new TextEncoder().encode(`attachment raw ${size}\0`);
    this.#sha1.update(header);
    this.#pack.write(header);
  }

  /** Waits when the packer is behind, so that memory stays flat. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    this.#sha1.update(chunk);
    this.#sha256.update(chunk);
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#pack.writableLength > 0 && this.#waitingBytes < packedAtOnce) return;
    if (!this.#handOver()) await once(this.#pack, "drain");
    this.#check();
  }

  /** False when the packer is behind. */
  #handOver(): boolean {
    const pieces = joinedBytes(this.#waiting, this.#waitingBytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return this.#pack.write(pieces);
  }

  /** What is not packed yet is packed meanwhile. */
  facts(path: string): RawFacts {
    if (this.#bytes !== this.#size) throw new Failure("file-changed", { path });
    this.#handOver();
    this.#pack.end();
    this.#packed = finished(this.#pack);
    // Told to whoever waits for it, if anybody does.
    this.#packed.catch(() => {});
    this.#digest = this.#sha1.digest("hex") as Digest;
    return { sha256: this.#sha256.digest("hex"), object: this.#digest, bytes: this.#bytes };
  }

  /** An object that is there already stays when it is whole; a damaged one is replaced. */
  async keep(): Promise<void> {
    const object = this.#digest;
    if (object === undefined) return;
    await this.#packed;
    this.#check();
    if (await isWhole(this.#objects, object)) return this.#file.discard();
    const target = memberPath(this.#objects, object);
    makeFolder(dirname(target));
    this.#file.replace(target);
  }

  discard(): void {
    this.#pack.destroy();
    this.#file.discard();
  }

  #keep(packed: Uint8Array): void {
    if (this.#failure !== undefined) return;
    try {
      this.#file.write(packed);
    } catch (error) {
      this.#failure = error;
    }
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Whether the object is there and what its name promises. */
async function isWhole(objects: string, digest: Digest): Promise<boolean> {
  const path = readablePath(objects, digest);
  const stat = path === null ? null : statOf(path);
  if (path === null || stat?.isFile() !== true) return false;
  try {
    const { body } = await openObjectStream(path, digest, stat.size);
    for await (const _ of body);
    return true;
  } catch (error) {
    if (isFailure(error, "object-damaged")) return false;
    throw error;
  }
}

/** An input of unknown length, kept on disk until its bytes have been read again. */
export interface Spooled {
  readonly bytes: number;
  stream(): AsyncIterable<Uint8Array>;
  discard(): void;
}

/**
 * Standard input cannot be measured beforehand: it goes through a file beside the objects. Fails with `input-too-long`
 * beyond `most` bytes, and leaves nothing behind.
 */
export async function spool(objects: string, source: AsyncIterable<Uint8Array>, most: number): Promise<Spooled> {
  const file = new NewFile(objects);
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > most) throw new Failure("input-too-long", { most });
      file.write(chunk);
    }
  } catch (error) {
    file.discard();
    throw error;
  }
  return {
    bytes,
    stream: () => createReadStream(file.path, { highWaterMark: 1 << 20 }),
    discard: () => file.discard(),
  };
}
