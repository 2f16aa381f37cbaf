import { createGunzip } from "node:zlib";
import { Readable } from "node:stream";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { joinedBytes } from "../../formats/bytes/concatenate.ts";

const headSize = 64 << 10;

/** A stream and its first bytes, which it still begins with. */
export interface Headed {
  readonly head: Uint8Array;
  readonly source: AsyncIterable<Uint8Array>;
}

/**
 * The bytes of a stream as they were before gzip packed them, if it did. Fails with `packed-file` for other packings
 * and for damage.
 */
export async function unpacked(source: AsyncIterable<Uint8Array>, path: string): Promise<Headed> {
  const headed = await withHead(source);
  const [first, second, third, fourth] = headed.head;
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd)
    throw new Failure("packed-file", {
      path,
      reason: "it is packed by zstd",
      instead: `unpack it first: zstd -d ${path}`,
    });
  return first === 0x1f && second === 0x8b ? withHead(gunzipped(headed.source, path)) : headed;
}

async function* gunzipped(source: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(source, { objectMode: false });
  const plain = createGunzip();
  packed.on("error", (error) => plain.destroy(error));
  try {
    yield* packed.pipe(plain) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (isFailure(error)) throw error;
    throw new Failure(
      "packed-file",
      { path, reason: "gzip cannot unpack it", instead: "write or copy it again" },
      error,
    );
  } finally {
    packed.destroy();
  }
}

async function withHead(source: AsyncIterable<Uint8Array>): Promise<Headed> {
  const pieces: Uint8Array[] = [];
  const rest = source[Symbol.asyncIterator]();
  let size = 0;
  while (size < headSize) {
    const { value, done } = await rest.next();
    if (done === true) break;
    pieces.push(value);
    size += value.length;
  }
  return { head: joinedBytes(pieces, size).subarray(0, headSize), source: continued(pieces, rest) };
}

async function* continued(pieces: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
