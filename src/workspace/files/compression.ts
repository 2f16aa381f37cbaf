import { Failure, isFailure } from "../../core/failures/index.ts";
import { concatenateBytes } from "../../formats/bytes/index.ts";
import { byteOrderMark, decodeInput } from "../../formats/text/index.ts";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, deflate, type ZlibOptions, gzipSync } from "node:zlib";

const deflateAsync = promisify<Uint8Array, ZlibOptions, Buffer>(deflate);

/** Measured numbers have random low digits: higher levels take twice the time for a few per cent. */
const deflateLevel = 4;

/** Compresses `bytes` as a zlib stream (RFC 1950) in base64, off the main thread. */
export async function deflateBase64(bytes: Uint8Array): Promise<string> {
  return (await deflateAsync(bytes, { level: deflateLevel })).toString("base64");
}

const headSize = 256 << 10;

/** A stream with a copy of its first bytes; `source` still yields them. */
export interface PeekedStream {
  readonly head: Uint8Array;
  readonly source: AsyncIterable<Uint8Array>;
}

/** Unsupported compressions by their first bytes in hexadecimal, and the programs that decompress them. */
const unsupported = [
  { name: "bzip2", program: "bunzip2 -k", head: /^425a683[1-9](?:314159265359|177245385090)/ },
  { name: "xz", program: "unxz -k", head: /^fd377a585a00/ },
] as const;

function refuseUnsupported(head: Uint8Array, path: string): void {
  const first = Buffer.from(head.subarray(0, 10)).toString("hex");
  const found = unsupported.find((each) => each.head.test(first));
  if (found === undefined) return;
  const reason = `it is compressed with ${found.name}, which is not supported`;
  throw new Failure("packed-file", { path, reason, instead: `decompress it first: ${found.program} ${path}` });
}

/**
 * Decompresses a stream if it is gzip or zstd, else returns it unchanged. Fails with `packed-file` if it is damaged, or
 * compressed otherwise.
 */
export async function decompress(source: AsyncIterable<Uint8Array>, path: string): Promise<PeekedStream> {
  const headed = await peek(source);
  const [first, second, third, fourth] = headed.head;
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) return peek(zstd(headed, path));
  refuseUnsupported(headed.head, path);
  return first === 0x1f && second === 0x8b ? peek(gunzip(headed.source, path)) : headed;
}

/** Like `decompress`, for reports: UTF-16 with a byte order mark, as spreadsheets write it, becomes UTF-8. */
export async function decompressReport(source: AsyncIterable<Uint8Array>, path: string): Promise<PeekedStream> {
  const plain = await decompress(source, path);
  const isWide = byteOrderMark(plain.head).encoding?.startsWith("utf-16") === true;
  return isWide ? peek(decodeInput(plain.source)) : plain;
}

/** Loads the decompressor of zstd lazily: Node.js 20 has none. */
async function* zstd({ head, source }: PeekedStream, path: string): AsyncGenerator<Uint8Array> {
  const { unzstd } = await import("../../formats/bytes/zstd.ts");
  try {
    yield* unzstd(source, head);
  } catch (error) {
    if (isFailure(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new Failure(
      "packed-file",
      { path, reason: `its zstd data cannot be decompressed: ${message}`, instead: `test it: zstd -t ${path}` },
      error,
    );
  }
}

async function* gunzip(source: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(source, { objectMode: false });
  const plain = createGunzip();
  packed.on("error", (error) => plain.destroy(error));
  try {
    yield* packed.pipe(plain) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (isFailure(error)) throw error;
    throw new Failure(
      "packed-file",
      { path, reason: "its gzip data is damaged", instead: "write or copy it again" },
      error,
    );
  } finally {
    packed.destroy();
  }
}

async function peek(source: AsyncIterable<Uint8Array>): Promise<PeekedStream> {
  const chunks: Uint8Array[] = [];
  const rest = source[Symbol.asyncIterator]();
  let size = 0;
  while (size < headSize) {
    const { value, done } = await rest.next();
    if (done === true) break;
    chunks.push(value);
    size += value.length;
  }
  return { head: concatenateBytes(chunks, size).subarray(0, headSize), source: resumeStream(chunks, rest) };
}

async function* resumeStream(
  chunks: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Compresses with gzip; the output is deterministic. */
export function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes);
}
