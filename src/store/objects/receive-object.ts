import type { Digest } from "../../core/versions/index.ts";
import type { ObjectHeader } from "../../formats/store/index.ts";
import type { Objects } from "./objects.ts";
import { RawFile } from "./raw-file.ts";

/** Maximum size of an object other than a raw file. */
const maxBytes = 256 * 1024 * 1024;

/** An object received from another store, as a stream. */
export interface IncomingObject {
  readonly header: ObjectHeader;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Stores a streamed object; raw files may have any size. Returns its digest, which the caller must compare with the
 * expected one, or undefined, storing nothing, if it exceeds its declared length or the maximum.
 */
export async function receiveObject(
  objects: Pick<Objects, "put" | "folder">,
  { header, body }: IncomingObject,
  path: string,
): Promise<Digest | undefined> {
  const { kind, type, length } = header;
  if (kind === "attachment" && type === "raw") return receiveRaw(objects, length, body, path);
  if (length > maxBytes) return undefined;
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const piece of body) {
    if (filled + piece.length > length) return undefined;
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return objects.put(kind, type, bytes.subarray(0, filled)).digest;
}

async function receiveRaw(
  { folder }: Pick<Objects, "folder">,
  length: number,
  body: AsyncIterable<Uint8Array>,
  path: string,
) {
  const file = new RawFile(folder, length);
  try {
    for await (const piece of body) await file.write(piece);
    const { object } = file.finish(path);
    await file.commit();
    return object;
  } catch (error) {
    file.discard();
    throw error;
  }
}
