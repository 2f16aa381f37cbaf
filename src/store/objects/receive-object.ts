import type { Digest } from "../../core/versions/digest.ts";
import type { ObjectHeader } from "../../formats/store/object.ts";
import type { Objects } from "./objects.ts";
import { RawFile } from "./raw-file.ts";

/** Objects that are not raw files are small; what has more bytes is none of ours. */
const mostBytes = 256 * 1024 * 1024;

/** An object on its way from elsewhere. */
export interface ArrivingObject {
  readonly header: ObjectHeader;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Keeps an object that comes in pieces, whatever the size of raw files. Answers its digest, which the caller compares
 * with the one that was meant; undefined, and nothing is kept, where it has more bytes than it says, or than any such
 * object has.
 */
export async function keepObject(
  objects: Pick<Objects, "put" | "folder">,
  { header, body }: ArrivingObject,
  path: string,
): Promise<Digest | undefined> {
  const { kind, type, length } = header;
  if (kind === "attachment" && type === "raw") return keepRaw(objects, length, body, path);
  if (length > mostBytes) return undefined;
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const piece of body) {
    if (filled + piece.length > length) return undefined;
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return objects.put(kind, type, bytes.subarray(0, filled)).digest;
}

async function keepRaw(
  { folder }: Pick<Objects, "folder">,
  length: number,
  body: AsyncIterable<Uint8Array>,
  path: string,
) {
  const file = new RawFile(folder, length);
  try {
    for await (const piece of body) await file.write(piece);
    const { object } = file.facts(path);
    await file.keep();
    return object;
  } catch (error) {
    file.discard();
    throw error;
  }
}
