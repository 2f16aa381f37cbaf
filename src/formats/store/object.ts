import { createHash } from "node:crypto";
import { constants, deflateSync, inflateSync } from "node:zlib";
import type { Digest } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";

/** Kinds in the header: Perun's, and `attachment` for raw files and descriptions. */
const kinds = ["profile", "attachment"] as const;
const profileTypes = ["time", "mixed", "memory"];

/** Default limit on the unpacked size of an object in bytes. */
export const objectSizeLimit = 512 * 1024 * 1024;
/**
 * From this size on a faster compression level is used: a third of the time, 3 % more bytes. The level is not part of
 * an object's identity.
 */
const large = 4 * 1024 * 1024;

export interface ObjectHeader {
  readonly kind: (typeof kinds)[number];
  /** `time`, `mixed` or `memory` of a profile; `raw`, `input`, `experiment`, … of an attachment. */
  readonly type: string;
  /** Bytes of the body. */
  readonly length: number;
}

export interface StoredObject extends Omit<ObjectHeader, "length"> {
  readonly body: Uint8Array;
}

/** The bytes to hash and pack: `<kind> <type> <decimal length of the body>`, NUL, body. */
export function encodeObject(
  kind: StoredObject["kind"],
  type: string,
  body: Uint8Array,
): { readonly plain: Uint8Array; readonly digest: Digest } {
  const header = new TextEncoder().encode(`${kind} ${type} ${body.length}\0`);
  const plain = new Uint8Array(header.length + body.length);
  plain.set(header);
  plain.set(body, header.length);
  return { plain, digest: hexOf(sha1(plain)) as Digest };
}

/** The bytes of an object's file: a zlib stream. */
export function packObject(plain: Uint8Array): Uint8Array {
  return bytesOf(deflateSync(plain, { level: plain.length > large ? 4 : constants.Z_DEFAULT_COMPRESSION }));
}

/**
 * Unpacks and verifies an object's file: the stream must be complete without trailing data and hash to `expected`, and
 * the header must be well-formed and match the body's length. Fails with `object-damaged`, also beyond `cap` unpacked
 * bytes.
 */
export function decodeObject(file: Uint8Array, expected: Digest, cap = objectSizeLimit): StoredObject {
  return verifyObject(unpackObject(file, expected, cap), expected);
}

/**
 * The unpacked bytes without verification. Fails with `object-damaged` (of `digest`), also beyond `cap` bytes.
 */
export function unpackObject(file: Uint8Array, digest: Digest, cap = objectSizeLimit): Uint8Array {
  try {
    return inflateBounded(file, cap);
  } catch (error) {
    throw error instanceof InflateError ? damaged(digest, error.message, error.cause) : error;
  }
}

/**
 * Parses unpacked bytes as an object, whose body is a view of them. Fails with `object-damaged` unless they hash to
 * `expected`.
 */
export function verifyObject(plain: Uint8Array, expected: Digest): StoredObject {
  const found = hexOf(sha1(plain));
  if (found !== expected) throw damaged(expected, `its digest is ${found}`);
  const { header, end } = parseObjectHeader(plain, expected);
  const body = plain.subarray(end);
  if (body.length !== header.length)
    throw damaged(expected, `it holds ${body.length} bytes where its header says ${header.length}`);
  return { kind: header.kind, type: header.type, body };
}

/**
 * The header of unpacked bytes and the offset of the body. Fails with `object-damaged` (of `digest`).
 */
export function parseObjectHeader(
  plain: Uint8Array,
  digest: Digest,
): { readonly header: ObjectHeader; readonly end: number } {
  const end = plain.subarray(0, 100).indexOf(0);
  const words =
    end < 0
      ? null
      : /^([a-z]+) ([a-z]+(?:-[a-z]+)*) (0|[1-9]\d{0,14})$/.exec(
          new TextDecoder("latin1").decode(plain.subarray(0, end)),
        );
  if (!words) throw damaged(digest, "its header is malformed");
  const [, word, type = "", length] = words;
  const kind = kinds.find((known) => known === word);
  if (!kind) throw damaged(digest, `its kind '${word}' is unknown`);
  if (kind === "profile" && !profileTypes.includes(type))
    throw damaged(digest, `its profile type '${type}' is unknown`);
  return { header: { kind, type, length: Number(length) }, end: end + 1 };
}

/** A zlib stream cannot be unpacked; the message is the reason. */
export class InflateError extends Error {}

/** Bytes that zlib allocates at a time: its default, 16 KiB, is slow both for small objects and for large ones. */
const smallestChunk = 1024;
const largestChunk = 256 * 1024;

/**
 * Unpacks a zlib stream, which must be complete without trailing data and unpack to at most `cap` bytes. Throws
 * InflateError.
 */
export function inflateBounded(file: Uint8Array, cap: number): Uint8Array {
  let result: { buffer: Uint8Array; engine: { bytesWritten: number } };
  try {
    // `info` reports how many bytes zlib consumed; without it, trailing data is ignored.
    const chunkSize = Math.min(Math.max(4 * file.length, smallestChunk), largestChunk);
    result = inflateSync(file, { maxOutputLength: cap, info: true, chunkSize }) as unknown as typeof result;
  } catch (cause) {
    const isTooLarge = (cause as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
    throw new InflateError(
      isTooLarge ? tooLarge(cap) : file.length === 0 ? "its file is empty" : "it cannot be unpacked",
      { cause },
    );
  }
  const rest = file.length - result.engine.bytesWritten;
  if (rest !== 0) throw new InflateError(`${rest} bytes follow it in its file`);
  return bytesOf(result.buffer);
}

/** The reason for refusing an object that is too large. */
export function tooLarge(cap: number): string {
  return `it unpacks to more than ${cap} bytes`;
}

function damaged(digest: Digest, reason: string, cause?: unknown): Failure {
  return new Failure("object-damaged", { digest, reason }, cause);
}

export function sha1(...pieces: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha1");
  for (const piece of pieces) hash.update(piece);
  return bytesOf(hash.digest());
}

/** A plain Uint8Array, because `slice` of Node's Buffer is a view instead of a copy. */
function bytesOf({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function hexOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += pairs[byte]!;
  return text;
}
