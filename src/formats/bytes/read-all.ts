import { Failure } from "../../core/failures/failure.ts";
import { joinedBytes } from "./concatenate.ts";

/** Larger files of formats that are read at once are refused. */
const most = 1 << 30;

/** All bytes of a source. Fails with `file-too-large`. */
export async function wholeSource(source: AsyncIterable<Uint8Array>, path: string, cap = most): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > cap) throw new Failure("file-too-large", { path, size, cap });
    pieces.push(piece);
  }
  return joinedBytes(pieces, size);
}
