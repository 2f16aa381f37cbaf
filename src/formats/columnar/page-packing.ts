import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { decompress } from "fzstd";
import { damaged } from "./parquet-encodings.ts";

/** How pages of Parquet are packed, in the order of their numbers. */
const packings = ["none", "Snappy", "gzip", "LZO", "Brotli", "LZ4 of Hadoop", "Zstandard", "LZ4"] as const;

/** The `length` bytes of a page that is packed by the codec of that number. Fails with `ParquetDamage`. */
export function unpackedPage(packed: Uint8Array, codec: number, length: number): Uint8Array {
  const bytes = unpackedBy(codec, packed, length);
  if (bytes.length !== length) throw damaged(`a page unpacks to ${bytes.length} bytes where ${length} are told`);
  return bytes;
}

function unpackedBy(codec: number, packed: Uint8Array, length: number): Uint8Array {
  switch (packings[codec]) {
    case "none":
      return packed;
    case "Snappy":
      return unsnapped(packed, length);
    case "gzip":
      return byProgram("gzip", () => gunzipSync(packed, { maxOutputLength: Math.max(1, length) }));
    case "Brotli":
      return byProgram("Brotli", () => brotliDecompressSync(packed, { maxOutputLength: Math.max(1, length) }));
    case "Zstandard":
      return byProgram("Zstandard", () => decompress(packed, new Uint8Array(length)));
    case "LZ4":
      return unpackedBlock(packed, length);
    default:
      throw damaged(
        `it is packed by ${packings[codec] ?? `the unknown codec ${codec}`}, which is not read; write it with Snappy or Zstandard`,
      );
  }
}

function byProgram(name: string, unpack: () => Uint8Array): Uint8Array {
  try {
    return unpack();
  } catch {
    throw damaged(`${name} cannot unpack a page`);
  }
}

/** Bytes that are written one after the other, or copied from those before. */
class Unpacking {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
  }

  literal(from: Uint8Array, at: number, length: number): void {
    if (at + length > from.length || this.at + length > this.bytes.length) throw damaged("a packed page is damaged");
    this.bytes.set(from.subarray(at, at + length), this.at);
    this.at += length;
  }

  copy(back: number, length: number): void {
    if (back < 1 || back > this.at || this.at + length > this.bytes.length) throw damaged("a packed page is damaged");
    for (const end = this.at + length; this.at < end; this.at++) this.bytes[this.at] = this.bytes[this.at - back]!;
  }

  whole(): Uint8Array {
    return this.bytes.subarray(0, this.at);
  }
}

/** Snappy's raw format (its format_description.txt). */
function unsnapped(packed: Uint8Array, length: number): Uint8Array {
  const out = new Unpacking(length);
  let at = 0;
  while ((packed[at++] ?? 0) > 127);
  while (at < packed.length) {
    const tag = packed[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      const more = Math.max(0, (tag >> 2) - 59);
      const size = (more === 0 ? tag >> 2 : wholeAt(packed, at, more)) + 1;
      out.literal(packed, at + more, size);
      at += more + size;
    } else if (kind === 1) out.copy(((tag >> 5) << 8) + wholeAt(packed, at++, 1), ((tag >> 2) & 7) + 4);
    else {
      const size = kind === 2 ? 2 : 4;
      out.copy(wholeAt(packed, at, size), (tag >> 2) + 1);
      at += size;
    }
  }
  return out.whole();
}

/** A block of LZ4 without a frame (its lz4_Block_format.md). */
function unpackedBlock(packed: Uint8Array, length: number): Uint8Array {
  const out = new Unpacking(length);
  let at = 0;
  const longer = (size: number): number => {
    let total = size;
    if (size < 15) return size;
    for (let byte = 255; byte === 255; total += byte) byte = wholeAt(packed, at++, 1);
    return total;
  };
  while (at < packed.length) {
    const token = packed[at++]!;
    const literals = longer(token >> 4);
    out.literal(packed, at, literals);
    at += literals;
    if (at >= packed.length) break;
    const back = wholeAt(packed, at, 2);
    at += 2;
    out.copy(back, longer(token & 15) + 4);
  }
  return out.whole();
}

/** A whole number, its low byte first. */
function wholeAt(bytes: Uint8Array, at: number, size: number): number {
  if (at + size > bytes.length) throw damaged("a packed page is damaged");
  let value = 0;
  for (let byte = size - 1; byte >= 0; byte--) value = value * 256 + bytes[at + byte]!;
  return value;
}
