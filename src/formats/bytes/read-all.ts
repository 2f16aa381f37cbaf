import { Failure } from "../../core/failures/index.ts";
import { concatenateBytes } from "./concatenate.ts";

/** Default limit of formats that are read into memory as a whole. */
const defaultCap = 1 << 30;

/** Reads all bytes of a source. Fails with `file-too-large` above `cap` bytes. */
export async function readAllBytes(
  source: AsyncIterable<Uint8Array>,
  path: string,
  cap = defaultCap,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > cap) throw new Failure("file-too-large", { path, size, cap });
    pieces.push(piece);
  }
  return concatenateBytes(pieces, size);
}
