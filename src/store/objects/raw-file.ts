import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";
import { constants, createDeflate, deflateSync, type Deflate } from "node:zlib";
import type { Digest } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { concatenateBytes } from "../../formats/bytes/index.ts";
import { makeFolder, NewFile } from "../durable/index.ts";
import type { ObjectBatch } from "./object-batch.ts";
import { isIntactObject } from "./object-stream.ts";
import { memberPath } from "./object-paths.ts";

/** Digest and size of an input that has been read completely. */
export interface RawInfo {
  readonly sha256: string;
  readonly bytes: number;
  /** The object that stores its bytes, if any. */
  readonly object?: Digest;
}

/** Receives the bytes of an input while they are parsed. */
export interface RawSink {
  write(chunk: Uint8Array): Promise<void>;
  /** Call after the last write. Fails with `file-changed` if the input has another length than declared. */
  finish(path: string): RawInfo;
  /** Call after `finish`. The bytes are stored durably once it returns. */
  commit(): Promise<void>;
  discard(): void;
}

/** Computes digest and size of an input without storing it. */
export class RawDigest implements RawSink {
  readonly #sha256: Hash = createHash("sha256");
  #bytes = 0;

  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    this.#sha256.update(chunk);
  }

  finish(): RawInfo {
    return { sha256: this.#sha256.digest("hex"), bytes: this.#bytes };
  }

  async commit(): Promise<void> {}

  discard(): void {}
}

/** zlib's fastest level: inputs are large and rarely read again. */
const rawLevel = 1;

const sampleBytes = 1 << 16;
/** Fewer bytes say nothing about the rest. */
const leastBytes = 1 << 12;

/** Repetitions are searched if they make the sample this much smaller. */
const worthwhile = 0.92;

/**
 * The strategy of zlib for an input, by its first bytes. Measured numbers have hardly any repetition: without a search
 * for it they take half the time and a few percent more bytes.
 */
export function packingStrategy(start: Uint8Array): number {
  if (start.length < leastBytes) return constants.Z_DEFAULT_STRATEGY;
  const sample = start.subarray(Math.max(0, start.length - sampleBytes));
  const size = (strategy: number): number => deflateSync(sample, { level: rawLevel, strategy }).length;
  const searched = size(constants.Z_DEFAULT_STRATEGY);
  return searched < size(constants.Z_HUFFMAN_ONLY) * worthwhile
    ? constants.Z_DEFAULT_STRATEGY
    : constants.Z_HUFFMAN_ONLY;
}

/**
 * `highWaterMark`: bytes that the parser may be ahead of the packer, enough to keep both busy. `chunkSize` exceeds the
 * packed size of a chunk, since the packer pauses until the main thread takes its output.
 */
const packing = { level: rawLevel, chunkSize: 4 << 20, highWaterMark: 32 << 20 };

/** Bytes passed to a busy packer at once: after each batch it waits for the main thread, which may be parsing. */
const batchBytes = 8 << 20;

/** Stores the bytes of an input as an `attachment raw` object while they are parsed, packed by zlib's own thread. */
export class RawFile implements RawSink {
  readonly #objects: string;
  readonly #file: NewFile;
  #packer: Deflate | undefined;
  readonly #sha1: Hash = createHash("sha1");
  readonly #sha256: Hash = createHash("sha256");
  readonly #size: number;
  #queued: Uint8Array[] = [];
  #queuedBytes = 0;
  #bytes = 0;
  #failure: unknown;
  #packed: Promise<void> = Promise.resolve();
  #digest: Digest | undefined;

  /** `size`: length of the input, needed for the object header. */
  constructor(objects: string, size: number) {
    this.#objects = objects;
    this.#size = size;
    this.#file = new NewFile(objects);
    this.#sha1.update(headerOf(size));
  }

  /** Waits for the packer if it lags, which bounds memory. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    this.#sha1.update(chunk);
    this.#sha256.update(chunk);
    this.#queued.push(chunk);
    this.#queuedBytes += chunk.length;
    const isBusy = this.#packer !== undefined && this.#packer.writableLength > 0;
    if (isBusy && this.#queuedBytes < batchBytes) return;
    const packer = this.#flush();
    if (packer.writableNeedDrain) await once(packer, "drain");
    this.#throwIfFailed();
  }

  #flush(): Deflate {
    const pieces = concatenateBytes(this.#queued, this.#queuedBytes);
    this.#queued = [];
    this.#queuedBytes = 0;
    const packer = (this.#packer ??= this.#startPacking(pieces));
    packer.write(pieces);
    return packer;
  }

  #startPacking(start: Uint8Array): Deflate {
    const packer = createDeflate({ ...packing, strategy: packingStrategy(start) });
    packer.on("data", (packed: Uint8Array) => this.#writePacked(packed));
    packer.write(headerOf(this.#size));
    return packer;
  }

  /** Packing continues in the background until `commit`. */
  finish(path: string): RawInfo {
    if (this.#bytes !== this.#size) throw new Failure("file-changed", { path });
    const packer = this.#flush();
    packer.end();
    this.#packed = finished(packer);
    // `commit` reports the error; `discard` ignores it.
    this.#packed.catch(() => {});
    this.#digest = this.#sha1.digest("hex") as Digest;
    return { sha256: this.#sha256.digest("hex"), object: this.#digest, bytes: this.#bytes };
  }

  /** Keeps an existing intact object and replaces a damaged one. */
  async commit(): Promise<void> {
    const object = this.#digest;
    if (object === undefined) return;
    await this.#packed;
    this.#throwIfFailed();
    if (await isIntactObject(this.#objects, object)) return this.#file.discard();
    const target = memberPath(this.#objects, object);
    makeFolder(dirname(target));
    this.#file.replace(target);
  }

  discard(): void {
    this.#packer?.destroy();
    this.#file.discard();
  }

  #writePacked(packed: Uint8Array): void {
    if (this.#failure !== undefined) return;
    try {
      this.#file.write(packed);
    } catch (error) {
      this.#failure = error;
    }
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Inputs of at most this many bytes are stored in batches. */
export const maxBatchedBytes = 1 << 17;

/**
 * Stores the bytes of a small input as an `attachment raw` object of a batch. `commit` leaves it to the batch, which
 * makes it durable.
 */
export class BatchedRawFile implements RawSink {
  readonly #batch: ObjectBatch;
  readonly #size: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #plain: Uint8Array = new Uint8Array(0);
  #digest: Digest | undefined;

  /** `size`: length of the input, needed for the object header. */
  constructor(batch: ObjectBatch, size: number) {
    this.#batch = batch;
    this.#size = size;
    this.#chunks.push(headerOf(size));
  }

  /** Holds no more than the declared length, since `finish` refuses a longer input. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#size) this.#chunks.push(chunk);
  }

  finish(path: string): RawInfo {
    if (this.#bytes !== this.#size) throw new Failure("file-changed", { path });
    this.#plain = concatenateBytes(
      this.#chunks,
      this.#chunks.reduce((sum, { length }) => sum + length, 0),
    );
    this.#digest = createHash("sha1").update(this.#plain).digest("hex") as Digest;
    const body = this.#plain.subarray(this.#plain.length - this.#size);
    return { sha256: createHash("sha256").update(body).digest("hex"), object: this.#digest, bytes: this.#bytes };
  }

  async commit(): Promise<void> {
    const [digest, plain] = [this.#digest, this.#plain];
    this.discard();
    if (digest !== undefined)
      await this.#batch.add(digest, deflateSync(plain, { level: rawLevel, chunkSize: 64 + plain.length }));
  }

  discard(): void {
    this.#chunks.length = 0;
    this.#plain = new Uint8Array(0);
  }
}

function headerOf(size: number): Uint8Array {
  return new TextEncoder().encode(`attachment raw ${size}\0`);
}

/** An input of unknown length, buffered on disk. */
export interface Spooled {
  readonly bytes: number;
  stream(): AsyncIterable<Uint8Array>;
  discard(): void;
}

/**
 * Buffers an input of unknown length, such as stdin, in a temporary file in `objects`. Fails with `input-too-long`
 * beyond `maxBytes`, leaving no file.
 */
export async function spool(objects: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Spooled> {
  const file = new NewFile(objects);
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Failure("input-too-long", { most: maxBytes });
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
