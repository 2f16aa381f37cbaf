import { Decompress, decompress } from "fzstd";

import { concatenateBytes } from "./concatenate.ts";

/** Bytes given to the decompressor at once: a block of 4 bytes can expand to 128 KiB. */
const sliceSize = 1 << 10;

/** Largest window in bytes; zstd itself refuses larger ones by default. */
const largestWindow = 2 ** 27;

/** The window in bytes that the frame at the start of `head` declares (RFC 8878, 3.1.1.1); 0 if the head is cut. */
function windowSize(head: Uint8Array): number {
  const [descriptor = 0, window = 0] = head.subarray(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  if (!isSingleSegment) return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  const at = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const length = 1 << (descriptor >> 6);
  const size = head.subarray(at, at + length).reduceRight((sum, byte) => sum * 256 + byte, 0);
  return length === 2 ? size + 256 : size;
}

/** Decompresses one or several Zstandard frames to a buffer of `length` bytes. Throws `Error`. */
export function unzstdBlock(compressed: Uint8Array, length: number): Uint8Array {
  return decompress(compressed, new Uint8Array(length));
}

/**
 * Decompresses a stream of Zstandard frames in bounded memory. Checksums are not verified. Throws `Error` for damaged
 * or truncated data, and for a first frame with a window over 128 MiB.
 */
export async function* unzstd(source: AsyncIterable<Uint8Array>, head: Uint8Array): AsyncGenerator<Uint8Array> {
  if (windowSize(head) > largestWindow) throw new Error("its window is larger than 128 MiB");
  const plain: Uint8Array[] = [];
  const decompressor = new Decompress((chunk) => void plain.push(chunk.slice()));
  for await (const chunk of source)
    for (let at = 0; at < chunk.length; at += sliceSize) {
      decompressor.push(chunk.slice(at, at + sliceSize));
      yield* plain.splice(0);
    }
  decompressor.push(new Uint8Array(0), true);
  yield* plain.splice(0);
}

/** Decompresses a stream of which every piece gives bytes at once, although it never ends. */
export class ZstdPieces {
  readonly #plain: Uint8Array[] = [];
  readonly #decompressor = new Decompress((chunk) => void this.#plain.push(chunk.slice()));

  /** Throws `Error` for damaged data, and if more than `most` bytes come out. */
  push(piece: Uint8Array, most: number): Uint8Array {
    let size = 0;
    for (let at = 0; at < piece.length; at += sliceSize) {
      const known = this.#plain.length;
      this.#decompressor.push(piece.slice(at, at + sliceSize));
      for (const each of this.#plain.slice(known)) size += each.length;
      if (size > most) throw new Error(`it has more than ${most} bytes`);
    }
    return concatenateBytes(this.#plain.splice(0), size);
  }
}
