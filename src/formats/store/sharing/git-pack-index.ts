import { hexOf, sha1 } from "../object.ts";

/** The byte range of an entry in a pack; `end` is exclusive. */
export interface PackedRange {
  readonly begin: number;
  readonly end: number;
}

const idBytes = 20;
const fanoutAt = 8;
const idsAt = fanoutAt + 256 * 4;
/**
 * The ids are followed by checksums and offsets of four bytes each; offsets of more than 31 bits are in a table of
 * eight-byte offsets after them.
 */
const bytesEach = idBytes + 4 + 4;
/** A pack ends with its digest, its index with the digests of the pack and of the index. */
const trailer = 20;

/** A git pack index of version 2 (gitformat-pack(5)), which git writes since 2008. */
export class GitPackIndex {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #count: number;
  /** Sorted offsets of the entries. */
  readonly #begins: Float64Array;
  /** End of the last entry. */
  readonly #end: number;

  private constructor(bytes: Uint8Array, count: number, packBytes: number) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#count = count;
    this.#begins = Float64Array.from({ length: count }, (_, at) => this.#offset(at)).sort();
    this.#end = packBytes - trailer;
  }

  /** null if the bytes are not a version 2 index or do not fit a pack of `packBytes` bytes. */
  static read(bytes: Uint8Array, packBytes: number): GitPackIndex | null {
    if (bytes.length < idsAt + 2 * trailer) return null;
    const view = viewOf(bytes);
    if (view.getUint32(0) !== 0xff744f63 || view.getUint32(4) !== 2) return null;
    const count = view.getUint32(idsAt - 4);
    const rest = bytes.length - idsAt - count * bytesEach - 2 * trailer;
    return rest < 0 || rest % 8 !== 0 ? null : new GitPackIndex(bytes, count, packBytes);
  }

  /** The range of an object by id (40 hex digits); null if it is not in the pack. */
  locate(id: string): PackedRange | null {
    const at = this.#position(bytesOfId(id));
    if (at < 0) return null;
    const begin = this.#offset(at);
    return begin < this.#end ? { begin, end: Math.min(this.#end, this.#next(begin)) } : null;
  }

  #position(id: Uint8Array): number {
    const first = id[0]!;
    let low = first === 0 ? 0 : this.#view.getUint32(fanoutAt + (first - 1) * 4);
    let high = Math.min(this.#view.getUint32(fanoutAt + first * 4), this.#count);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(middle, id);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  #compare(at: number, id: Uint8Array): number {
    const start = idsAt + at * idBytes;
    for (let i = 0; i < idBytes; i++) {
      const difference = this.#bytes[start + i]! - id[i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #offset(at: number): number {
    const offsets = idsAt + this.#count * (idBytes + 4);
    const offset = this.#view.getUint32(offsets + at * 4);
    if (offset < 0x8000_0000) return offset;
    const large = offsets + this.#count * 4 + (offset - 0x8000_0000) * 8;
    return large + 8 > this.#bytes.length ? Number.POSITIVE_INFINITY : Number(this.#view.getBigUint64(large));
  }

  /** The offset of the entry after the one at `begin`; beyond the end if there is none. */
  #next(begin: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#begins[middle]! <= begin) low = middle + 1;
      else high = middle;
    }
    return this.#begins[low] ?? Number.POSITIVE_INFINITY;
  }
}

/** An undeltified blob of a pack, and the offset of its zlib stream. */
export interface PackedBlob {
  readonly size: number;
  readonly stream: number;
}

const blobType = 3;

/** Parses the header of a pack entry; null unless it is an undeltified blob. */
export function packedBlob(entry: Uint8Array): PackedBlob | null {
  const first = entry[0] ?? 0;
  if (((first >> 4) & 7) !== blobType) return null;
  let size = first & 15;
  let at = 0;
  for (let scale = 16; entry[at]! >= 0x80; scale *= 128) {
    at += 1;
    if (at >= entry.length || at > 8) return null;
    size += (entry[at]! & 0x7f) * scale;
  }
  return { size, stream: at + 1 };
}

/** An entry of a pack, to be listed in its index. */
export interface PackEntry {
  /** 40 hex digits. */
  readonly id: string;
  /** CRC-32 of its bytes in the pack. */
  readonly check: number;
  /** Less than 2^31. */
  readonly begin: number;
}

/** The index, of version 2, of a pack that ends with `digest`. */
export function encodeGitPackIndex(entries: readonly PackEntry[], digest: Uint8Array): Uint8Array {
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const count = sorted.length;
  const bytes = new Uint8Array(idsAt + count * bytesEach + 2 * trailer);
  const view = viewOf(bytes);
  view.setUint32(0, 0xff744f63);
  view.setUint32(4, 2);
  const fanout = new Uint32Array(256);
  const [checksAt, offsetsAt] = [idsAt + count * idBytes, idsAt + count * (idBytes + 4)];
  for (const [at, { id, check, begin }] of sorted.entries()) {
    const raw = bytesOfId(id);
    bytes.set(raw, idsAt + at * idBytes);
    fanout.fill(at + 1, raw[0]);
    view.setUint32(checksAt + at * 4, check);
    view.setUint32(offsetsAt + at * 4, begin);
  }
  for (const [first, last] of fanout.entries()) view.setUint32(fanoutAt + first * 4, last);
  bytes.set(digest, bytes.length - 2 * trailer);
  bytes.set(sha1(bytes.subarray(0, -trailer)), bytes.length - trailer);
  return bytes;
}

/** The bytes of 40 hex digits. */
function bytesOfId(id: string): Uint8Array {
  return Uint8Array.from({ length: idBytes }, (_, i) => Number.parseInt(id.slice(2 * i, 2 * i + 2), 16));
}

/** The header of a pack of version 2 with `count` entries. */
export function gitPackHeader(count: number): Uint8Array {
  const header = new Uint8Array(12);
  header.set(new TextEncoder().encode("PACK"));
  const view = viewOf(header);
  view.setUint32(4, 2);
  view.setUint32(8, count);
  return header;
}

/**
 * The header of an undeltified blob of `size` bytes in a pack, and the CRC-32 of the entry: the header and the zlib
 * stream of the blob.
 */
export function packedBlobHeader(size: number, stream: Uint8Array): { readonly header: Uint8Array; check: number } {
  const bytes = [(blobType << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  const header = Uint8Array.from(bytes);
  return { header, check: crc32(stream, crc32(header)) };
}

const polynomial = 0xedb88320;

/** By position of a byte in eight and by its value (slicing by eight). */
const tables = tablesOf(polynomial);
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
];

function tablesOf(reversed: number): Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let check = byte;
    for (let bit = 0; bit < 8; bit++) check = check & 1 ? (check >>> 1) ^ reversed : check >>> 1;
    return check;
  });
  const all = [first];
  for (let at = 1; at < 8; at++)
    all.push((all[at - 1] as Uint32Array).map((check) => (check >>> 8) ^ first[check & 0xff]!));
  return all;
}

/** CRC-32 as in zlib; `check`: that of the bytes before. */
function crc32(bytes: Uint8Array, check = 0): number {
  let crc = ~check;
  let at = 0;
  for (const last = bytes.length - 7; at < last; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 0xff]! ^
      t6[(crc >>> 8) & 0xff]! ^
      t5[(crc >>> 16) & 0xff]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The blob id of file contents in SHA-1 repositories. */
export function gitBlobId(body: Uint8Array): string {
  return hexOf(sha1(new TextEncoder().encode(`blob ${body.length}\0`), body));
}
