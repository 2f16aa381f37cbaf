import { ByteWriter } from "../bytes/byte-writer.ts";
import { sha1 } from "./object.ts";

/**
 * True when `trailer` is the checksum of this index without some of its entries. Perun inserts entries in front of a checksum it does not
 * know of, and counts them in the header: without them the index is what we wrote. An altered bit in any other entry stays noticed, for
 * then no choice of entries to leave out gives the checksum. `starts` are the places of the entries, and the end of the last; `effort` is how many
 * bytes may be hashed on the search.
 */
export function explainsTrailer(
  bytes: Uint8Array,
  starts: readonly number[],
  trailer: Uint8Array,
  effort: number,
): boolean {
  const count = starts.length - 1;
  const search = { bytes, starts, trailer, left: effort };
  for (let inserted = 1; inserted <= count && search.left > 0; inserted++)
    if (without(search, inserted, 0, [])) return true;
  return false;
}

interface Search {
  readonly bytes: Uint8Array;
  readonly starts: readonly number[];
  readonly trailer: Uint8Array;
  left: number;
}

/** Tries to leave out `more` entries from `first` on, besides those in `out`. */
function without(search: Search, more: number, first: number, out: readonly number[]): boolean {
  if (more === 0) return isChecksumWithout(search, out);
  for (let entry = first; entry <= search.starts.length - 1 - more && search.left > 0; entry++) {
    if (without(search, more - 1, entry + 1, [...out, entry])) return true;
  }
  return false;
}

function isChecksumWithout(search: Search, out: readonly number[]): boolean {
  const { bytes, starts, trailer } = search;
  const count = starts.length - 1;
  const header = new ByteWriter();
  header.bytes(bytes.subarray(0, 8));
  header.uint32(count - out.length);
  const pieces = [header.written()];
  let from = starts[0]!;
  for (const entry of out) {
    pieces.push(bytes.subarray(from, starts[entry]));
    from = starts[entry + 1]!;
  }
  pieces.push(bytes.subarray(from, starts[count]));
  search.left -= bytes.length;
  return sha1(...pieces).every((byte, i) => byte === trailer[i]);
}
