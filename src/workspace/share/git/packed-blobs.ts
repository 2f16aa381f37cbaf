import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { GitPackIndex, packedBlob } from "../../../formats/store/sharing/git-pack-index.ts";
import { inflated, NotInflated } from "../../../formats/store/object.ts";
import { entriesOf, readPlainFile } from "../../../store/durable/regular-file.ts";

/** A blob that a pack holds whole, and not as a difference to another one. */
export interface WholeBlob {
  /** Bytes of the content. */
  readonly size: number;
  readonly fd: number;
  /** Where the zlib stream lies in the pack. */
  readonly begin: number;
  readonly end: number;
}

/**
 * The packs of a repository. Objects are kept as git sends them, as zlib streams: so they need not be packed again,
 * which takes longer than all else that a large pull does. Whatever is not as expected is left to git.
 */
export class PackedBlobs {
  readonly #packs: readonly Pack[];

  constructor(folder: string) {
    const packs = join(folder, "objects", "pack");
    const stems = entriesOf(packs).flatMap(({ name }) =>
      name.endsWith(".idx") ? [join(packs, name.slice(0, -4))] : [],
    );
    this.#packs = stems.flatMap((stem) => opened(stem) ?? []);
  }

  /** null: git has to be asked. */
  find(blob: string): WholeBlob | null {
    for (const { index, fd } of this.#packs) {
      const place = index.place(blob);
      if (place === null) continue;
      const told = packedBlob(bytesAt(fd, place.begin, Math.min(place.begin + longestHeader, place.end)));
      return told === null ? null : { size: told.size, fd, begin: place.begin + told.stream, end: place.end };
    }
    return null;
  }

  /** The content, and the stream that holds it and nothing else; null: it is damaged. */
  read({ fd, begin, end, size }: WholeBlob): { readonly content: Uint8Array; readonly packed: Uint8Array } | null {
    if (end - begin > 2 * size + longestHeader) return null;
    const packed = bytesAt(fd, begin, end);
    try {
      // zlib takes no cap of zero bytes.
      const content = inflated(packed, Math.max(1, size));
      return content.length === size ? { content, packed } : null;
    } catch (error) {
      if (error instanceof NotInflated) return null;
      throw error;
    }
  }

  close(): void {
    for (const { fd } of this.#packs) closeSync(fd);
  }
}

/** Bytes before the stream of an entry, at most; also more than a zlib stream has beside its content. */
const longestHeader = 64;

interface Pack {
  readonly fd: number;
  readonly index: GitPackIndex;
}

/** null for what git has to say something about. */
function opened(stem: string): Pack | null {
  let fd: number | undefined;
  try {
    fd = openSync(`${stem}.pack`, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const index = GitPackIndex.read(readPlainFile(`${stem}.idx`) ?? new Uint8Array(0), fstatSync(fd).size);
    if (index !== null) return { fd, index };
  } catch {
    // As above.
  }
  if (fd !== undefined) closeSync(fd);
  return null;
}

/** Fewer bytes, or none, where they cannot be read. */
function bytesAt(fd: number, begin: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - begin);
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, begin));
  } catch {
    return bytes.subarray(0, 0);
  }
}
