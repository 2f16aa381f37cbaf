import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { unzstdBlock } from "../bytes/index.ts";
import { damaged } from "./parquet-encodings.ts";

/** Compression codecs of Parquet pages, by number. */
const codecs = ["none", "Snappy", "gzip", "LZO", "Brotli", "LZ4 of Hadoop", "Zstandard", "LZ4"] as const;

/** Decompresses a page to `length` bytes with the codec of the given number. Throws `ParquetError`. */
export function decompressPage(compressed: Uint8Array, codec: number, length: number): Uint8Array {
  const bytes = decompressBy(codec, compressed, length);
  if (bytes.length !== length) throw damaged(`a page has ${bytes.length} bytes after decompression, not ${length}`);
  return bytes;
}

function decompressBy(codec: number, compressed: Uint8Array, length: number): Uint8Array {
  switch (codecs[codec]) {
    case "none":
      return compressed;
    case "Snappy":
      return decompressSnappy(compressed, length);
    case "gzip":
      return runCodec("gzip", () => gunzipSync(compressed, { maxOutputLength: Math.max(1, length) }));
    case "Brotli":
      return runCodec("Brotli", () => brotliDecompressSync(compressed, { maxOutputLength: Math.max(1, length) }));
    case "Zstandard":
      return runCodec("Zstandard", () => unzstdBlock(compressed, length));
    case "LZ4":
      return decompressLz4Block(compressed, length);
    default:
      throw damaged(
        `compression by ${codecs[codec] ?? `the unknown codec ${codec}`} is not supported; ` +
          "write the file with Snappy or Zstandard",
      );
  }
}

function runCodec(name: string, unpack: () => Uint8Array): Uint8Array {
  try {
    return unpack();
  } catch {
    throw damaged(`${name} cannot decompress a page`);
  }
}

/** Decompressed bytes: literals and copies of earlier bytes. */
class OutputBuffer {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
  }

  literal(from: Uint8Array, at: number, length: number): void {
    if (at + length > from.length || this.at + length > this.bytes.length)
      throw damaged("a compressed page is damaged");
    this.bytes.set(from.subarray(at, at + length), this.at);
    this.at += length;
  }

  copy(back: number, length: number): void {
    if (back < 1 || back > this.at || this.at + length > this.bytes.length)
      throw damaged("a compressed page is damaged");
    for (const end = this.at + length; this.at < end; this.at++) this.bytes[this.at] = this.bytes[this.at - back]!;
  }

  written(): Uint8Array {
    return this.bytes.subarray(0, this.at);
  }
}

/** Snappy's raw format (Snappy's format_description.txt). */
function decompressSnappy(compressed: Uint8Array, length: number): Uint8Array {
  const out = new OutputBuffer(length);
  let at = 0;
  while ((compressed[at++] ?? 0) > 127);
  while (at < compressed.length) {
    const tag = compressed[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      const more = Math.max(0, (tag >> 2) - 59);
      const size = (more === 0 ? tag >> 2 : readUint(compressed, at, more)) + 1;
      out.literal(compressed, at + more, size);
      at += more + size;
    } else if (kind === 1) out.copy(((tag >> 5) << 8) + readUint(compressed, at++, 1), ((tag >> 2) & 7) + 4);
    else {
      const size = kind === 2 ? 2 : 4;
      out.copy(readUint(compressed, at, size), (tag >> 2) + 1);
      at += size;
    }
  }
  return out.written();
}

/** An LZ4 block without a frame (LZ4's lz4_Block_format.md). */
function decompressLz4Block(compressed: Uint8Array, length: number): Uint8Array {
  const out = new OutputBuffer(length);
  let at = 0;
  const longer = (size: number): number => {
    let total = size;
    if (size < 15) return size;
    for (let byte = 255; byte === 255; total += byte) byte = readUint(compressed, at++, 1);
    return total;
  };
  while (at < compressed.length) {
    const token = compressed[at++]!;
    const literals = longer(token >> 4);
    out.literal(compressed, at, literals);
    at += literals;
    if (at >= compressed.length) break;
    const back = readUint(compressed, at, 2);
    at += 2;
    out.copy(back, longer(token & 15) + 4);
  }
  return out.written();
}

/** A little-endian unsigned integer. */
function readUint(bytes: Uint8Array, at: number, size: number): number {
  if (at + size > bytes.length) throw damaged("a compressed page is damaged");
  let value = 0;
  for (let byte = size - 1; byte >= 0; byte--) value = value * 256 + bytes[at + byte]!;
  return value;
}
