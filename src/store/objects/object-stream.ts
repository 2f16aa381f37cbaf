import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createInflate } from "node:zlib";
import type { Digest } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { parseObjectHeader, type ObjectHeader } from "../../formats/store/index.ts";
import { lstatOrNull } from "../durable/index.ts";
import { readablePath } from "./object-paths.ts";

/** The header of an object and its unpacked body as a stream. */
export interface ObjectStream {
  readonly header: ObjectHeader;
  /**
   * The body. Fails with `object-damaged` at the end on a digest or length mismatch, and immediately if it is too long.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Bytes to read at a time. */
const [leastRead, mostRead] = [1 << 12, 1 << 20];

/** Opens an object that may be too large for memory. `size`: bytes of the packed file. */
export async function openObjectStream(path: string, digest: Digest, size: number): Promise<ObjectStream> {
  const inflate = createInflate();
  // Each read allocates as much: more than a small file has would keep the garbage collector busy.
  const highWaterMark = Math.min(Math.max(size, leastRead), mostRead);
  // The reader of `inflate` receives the errors of both streams.
  const pieces = pipeline(createReadStream(path, { highWaterMark }), inflate, () => {})[
    Symbol.asyncIterator
  ]() as AsyncIterator<Uint8Array>;
  const hash = createHash("sha1");
  const first = await next(pieces, digest);
  const { header, end } = parseObjectHeader(first, digest);
  hash.update(first);

  async function* body(): AsyncIterable<Uint8Array> {
    let length = first.length - end;
    if (length > 0) yield first.subarray(end);
    for (let piece = await next(pieces, digest); piece.length > 0; piece = await next(pieces, digest)) {
      length += piece.length;
      if (length > header.length)
        throw damaged(digest, `it has more than the ${header.length} bytes stated in its header`);
      hash.update(piece);
      yield piece;
    }
    if (length !== header.length)
      throw damaged(digest, `it has ${length} bytes, but its header states ${header.length}`);
    if (inflate.bytesWritten !== size)
      throw damaged(digest, `${size - inflate.bytesWritten} bytes follow it in its file`);
    const actual = hash.digest("hex");
    if (actual !== digest) throw damaged(digest, `its bytes have the digest ${actual}`);
  }
  return { header, body: body() };
}

/** A verified plain form as a stream. */
export function streamOfPlain(plain: Uint8Array, digest: Digest): ObjectStream {
  const { header, end } = parseObjectHeader(plain, digest);
  async function* body(): AsyncIterable<Uint8Array> {
    yield plain.subarray(end);
  }
  return { header, body: body() };
}

/** Whether the object exists as a loose file and matches its digest. */
export async function isIntactObject(objects: string, digest: Digest): Promise<boolean> {
  const path = readablePath(objects, digest);
  const stat = path === null ? null : lstatOrNull(path);
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

/** The next piece, empty at the end. */
async function next(pieces: AsyncIterator<Uint8Array>, digest: Digest): Promise<Uint8Array> {
  try {
    const step = await pieces.next();
    return step.done === true ? new Uint8Array(0) : step.value;
  } catch (error) {
    throw damaged(digest, "it cannot be unpacked", error);
  }
}

function damaged(digest: Digest, reason: string, cause?: unknown): Failure {
  return new Failure("object-damaged", { digest, reason }, cause);
}
