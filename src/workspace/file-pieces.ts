import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** Small enough that packing and parsing never wait for each other, large enough that there are few turns. */
export const pieceSize = 1 << 16;

/** After so many pieces other work of the program gets its turn. */
const piecesInTurn = 8;

/**
 * A regular file from its beginning to its end in pieces of at most `pieceSize` bytes. They are read on our own thread: the system has read them ahead, and asking
 * another thread takes longer than they do.
 */
export async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (let pieces = 1; ; pieces++) {
      const piece = Buffer.allocUnsafeSlow(pieceSize);
      const size = readSync(file, piece, 0, pieceSize, null);
      if (size === 0) return;
      yield piece.subarray(0, size);
      if (pieces % piecesInTurn === 0) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}
