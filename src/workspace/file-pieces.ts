import { open, type FileHandle } from "node:fs/promises";

/** Small enough that packing and parsing never wait for each other, large enough that there are few turns. */
export const pieceSize = 1 << 16;

/** A regular file from its beginning to its end in pieces of at most `pieceSize` bytes. The next one is read while the last is looked at. */
export async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  let next = pieceOf(file);
  try {
    for (let piece = await next; piece.length > 0; piece = await next) {
      next = pieceOf(file);
      // Told to whoever asks for it; who does not come back does not want to know.
      next.catch(() => {});
      yield piece;
    }
  } finally {
    await next.catch(() => {});
    await file.close();
  }
}

async function pieceOf(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(pieceSize), 0, pieceSize, null);
  return buffer.subarray(0, bytesRead);
}
