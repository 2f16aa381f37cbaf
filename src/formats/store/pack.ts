import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";
import type { Digest } from "../../core/versions/index.ts";
import { hexOf, sha1 } from "./object.ts";

/**
 * A pack: many objects in one file, in groups that are compressed together. docs/design.md specifies the layout.
 */
const magic = new TextEncoder().encode("ppak");
const formatVersion = 1;
const headerBytes = 8;
const groupRecordBytes = 16;
const fanRecordBytes = 8;
const entryBytes = 32;
const footerBytes = 64;

/** Entries of a bucket on average, at most. */
const bucketEntries = 16;
const maxBits = 16;

/** The largest number of objects in a pack, which bounds its table to 49 MiB. */
export const maxPackedObjects = 2 ** 20;

/** A group is closed once it holds this many plain bytes, so that reading an object unpacks little else. */
export const groupBytes = 2 ** 16;

/** Largest plain form of an object in a pack; larger objects stay in files of their own. */
export const maxPackedBytes = 2 ** 22;

const maxGroupBytes = groupBytes + maxPackedBytes;

/** A pack cannot be read; the message is the reason. */
export class PackError extends Error {}

/** Where an object is: the number of its group, and its plain form within the plain bytes of the group. */
export interface PackedLocation {
  readonly group: number;
  readonly start: number;
  readonly length: number;
}

export interface PackedEntry extends PackedLocation {
  readonly digest: Digest;
}

/** The compressed bytes of a group in the file, and the length of its plain bytes. */
export interface PackGroup {
  readonly offset: number;
  readonly packed: number;
  readonly plain: number;
}

export function encodePackHeader(): Uint8Array {
  const header = new Uint8Array(headerBytes);
  header.set(magic);
  viewOf(header).setUint32(4, formatVersion, true);
  return header;
}

/** Compresses a group. The quality is a compromise: twice the time saves 2 % more. */
export async function compressGroup(plain: Uint8Array): Promise<Uint8Array> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 22, [BROTLI_PARAM_SIZE_HINT]: plain.length };
  return new Promise((resolve, reject) => {
    brotliCompress(plain, { params }, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  });
}

/** The plain bytes of a group. Throws PackError, also for more than the declared length. */
export function decompressGroup(packed: Uint8Array, group: PackGroup): Uint8Array {
  let plain: Uint8Array;
  try {
    const bytes = brotliDecompressSync(packed, {
      maxOutputLength: Math.max(1, group.plain),
      chunkSize: Math.max(64, group.plain),
    });
    // Not a Buffer, whose `slice` would be a view that keeps the whole group in memory.
    plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch {
    throw new PackError("a group cannot be unpacked");
  }
  if (plain.length !== group.plain) throw new PackError("a group has another length than declared");
  return plain;
}

/** The bytes after the groups: the table and the footer. `entries` must be sorted by digest, without duplicates. */
export function encodePackTable(groups: readonly PackGroup[], entries: readonly PackedEntry[]): Uint8Array {
  const bits = bitsFor(entries.length);
  const shape = shapeOf(groups.length, entries.length, bits, 0);
  const bytes = new Uint8Array(shape.end + footerBytes);
  const view = viewOf(bytes);
  groups.forEach((group, number) => writeGroup(view, number * groupRecordBytes, group));
  entries.forEach((entry, number) => writeEntry(bytes, view, shape.entriesAt + number * entryBytes, entry));
  writeFan(bytes, view, shape, entries);
  const last = groups.at(-1);
  writeFooter(bytes, shape, last === undefined ? headerBytes : last.offset + last.packed);
  return bytes;
}

function writeGroup(view: DataView, at: number, { offset, packed, plain }: PackGroup): void {
  view.setBigUint64(at, BigInt(offset), true);
  view.setUint32(at + 8, packed, true);
  view.setUint32(at + 12, plain, true);
}

function writeEntry(bytes: Uint8Array, view: DataView, at: number, entry: PackedEntry): void {
  bytes.set(digestBytes(entry.digest), at);
  [entry.group, entry.start, entry.length].forEach((word, i) => view.setUint32(at + 20 + 4 * i, word, true));
}

function writeFan(bytes: Uint8Array, view: DataView, shape: PackShape, entries: readonly PackedEntry[]): void {
  let start = 0;
  for (let bucket = 0; bucket < 2 ** shape.bits; bucket++) {
    let end = start;
    while (end < entries.length && bucketOf(entries[end]!.digest, shape.bits) === bucket) end += 1;
    const at = shape.fanAt + bucket * fanRecordBytes;
    view.setUint32(at, end, true);
    const inside = bytes.subarray(shape.entriesAt + start * entryBytes, shape.entriesAt + end * entryBytes);
    view.setUint32(at + 4, bucketCheck(start, end, inside), true);
    start = end;
  }
}

function writeFooter(bytes: Uint8Array, shape: PackShape, tableAt: number): void {
  const footer = bytes.subarray(shape.end);
  const view = viewOf(footer);
  [shape.groups, shape.objects, shape.bits].forEach((word, i) => view.setUint32(4 * i, word, true));
  view.setBigUint64(16, BigInt(tableAt), true);
  footer.set(sha1(bytes.subarray(0, shape.end)), 24);
  footer.set(sha1(footer.subarray(0, 44)), 44);
}

/** Offsets of the parts of a table. */
interface PackShape {
  readonly groups: number;
  readonly objects: number;
  readonly bits: number;
  readonly groupsAt: number;
  readonly fanAt: number;
  readonly entriesAt: number;
  readonly end: number;
}

function shapeOf(groups: number, objects: number, bits: number, groupsAt: number): PackShape {
  const fanAt = groupsAt + groups * groupRecordBytes;
  const entriesAt = fanAt + 2 ** bits * fanRecordBytes;
  return { groups, objects, bits, groupsAt, fanAt, entriesAt, end: entriesAt + objects * entryBytes };
}

function bitsFor(objects: number): number {
  let bits = 0;
  while (bits < maxBits && objects > bucketEntries * 2 ** bits) bits += 1;
  return bits;
}

function bucketOf(digest: Digest, bits: number): number {
  return Number.parseInt(digest.slice(0, 4), 16) >>> (16 - bits);
}

function bucketCheck(start: number, end: number, entries: Uint8Array): number {
  const range = new Uint8Array(8);
  viewOf(range).setUint32(0, start, true);
  viewOf(range).setUint32(4, end, true);
  return viewOf(sha1(range, entries)).getUint32(0, true);
}

/** Reads `length` bytes at `offset`; fewer if the file is shorter. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/** Finds objects in a pack with a few small reads. Everything that it returns is within the bounds of the file. */
export class PackReader {
  readonly #read: ReadAt;
  readonly #shape: PackShape;
  readonly #tableSum: string;

  /** Verifies header and footer. Throws PackError. */
  constructor(read: ReadAt, size: number) {
    this.#read = read;
    const header = viewOf(this.#exactly(0, headerBytes));
    if (header.getUint32(0) !== viewOf(magic).getUint32(0)) throw new PackError("it is not a pack");
    const version = header.getUint32(4, true);
    if (version !== formatVersion) throw new PackError(`its format version ${version} is unknown`);
    const footer = this.#exactly(Math.max(0, size - footerBytes), footerBytes);
    if (hexOf(sha1(footer.subarray(0, 44))) !== hexOf(footer.subarray(44))) throw new PackError("its end is damaged");
    this.#tableSum = hexOf(footer.subarray(24, 44));
    this.#shape = shapeIn(viewOf(footer), size);
  }

  get count(): number {
    return this.#shape.objects;
  }

  /** The location of an object; null if it is not in the pack. Throws PackError. */
  find(digest: Digest): PackedLocation | null {
    const { bits, fanAt } = this.#shape;
    const bucket = bucketOf(digest, bits);
    const fan = viewOf(this.#exactly(fanAt + Math.max(0, bucket - 1) * fanRecordBytes, bucket === 0 ? 8 : 16));
    const start = bucket === 0 ? 0 : fan.getUint32(0, true);
    const own = bucket === 0 ? 0 : fanRecordBytes;
    const entries = this.#bucket(start, fan.getUint32(own, true), fan.getUint32(own + 4, true));
    const wanted = digestBytes(digest);
    for (let at = 0; at < entries.length; at += entryBytes)
      if (wanted.compare(entries, at, at + wanted.length) === 0) return locationAt(entries, at);
    return null;
  }

  /** Throws PackError. */
  group(number: number): PackGroup {
    const { groups, groupsAt } = this.#shape;
    if (number >= groups) throw new PackError("it refers to a group that it does not have");
    const record = viewOf(this.#exactly(groupsAt + number * groupRecordBytes, groupRecordBytes));
    const [offset, packed] = [Number(record.getBigUint64(0, true)), record.getUint32(8, true)];
    const plain = record.getUint32(12, true);
    if (offset < headerBytes || offset + packed > groupsAt || plain > maxGroupBytes)
      throw new PackError(`group ${number} has impossible bounds`);
    return { offset, packed, plain };
  }

  /** The compressed bytes of a group. Throws PackError. */
  packedBytes({ offset, packed }: PackGroup): Uint8Array {
    return this.#exactly(offset, packed);
  }

  /** Verifies the table, then yields all entries in the order of their groups. Throws PackError. */
  *entries(): Generator<PackedEntry> {
    const { groupsAt, entriesAt, end, objects } = this.#shape;
    const table = this.#exactly(groupsAt, end - groupsAt);
    if (hexOf(sha1(table)) !== this.#tableSum) throw new PackError("its table is damaged");
    const bytes = table.subarray(entriesAt - groupsAt);
    const order = Uint32Array.from({ length: objects }, (_, number) => number);
    const view = viewOf(bytes);
    const word = (number: number, i: number): number => view.getUint32(number * entryBytes + 20 + 4 * i, true);
    order.sort((a, b) => word(a, 0) - word(b, 0) || word(a, 1) - word(b, 1));
    for (const number of order) {
      const at = number * entryBytes;
      yield { digest: hexOf(bytes.subarray(at, at + 20)) as Digest, ...locationAt(bytes, at) };
    }
  }

  #bucket(start: number, end: number, check: number): Uint8Array {
    const { entriesAt, objects } = this.#shape;
    if (start > end || end > objects) throw new PackError("its table is damaged");
    const entries = this.#exactly(entriesAt + start * entryBytes, (end - start) * entryBytes);
    if (bucketCheck(start, end, entries) !== check) throw new PackError("its table is damaged");
    return entries;
  }

  #exactly(offset: number, length: number): Uint8Array {
    const bytes = this.#read(offset, length);
    if (bytes.length !== length) throw new PackError("it is truncated");
    return bytes;
  }
}

function shapeIn(footer: DataView, size: number): PackShape {
  const [groups, objects, bits] = [0, 4, 8].map((at) => footer.getUint32(at, true)) as [number, number, number];
  const shape = shapeOf(groups, objects, bits, Number(footer.getBigUint64(16, true)));
  if (objects > maxPackedObjects || groups > objects || bits > maxBits || shape.end + footerBytes !== size)
    throw new PackError("its size does not fit its end");
  return shape;
}

function locationAt(entries: Uint8Array, at: number): PackedLocation {
  const view = viewOf(entries);
  const [group, start, length] = [20, 24, 28].map((i) => view.getUint32(at + i, true)) as [number, number, number];
  return { group, start, length };
}

/** The plain form of an object within its group. Throws PackError. */
export function sliceOfGroup(plain: Uint8Array, { start, length }: PackedLocation): Uint8Array {
  if (start + length > plain.length) throw new PackError("an object exceeds its group");
  return plain.slice(start, start + length);
}

function digestBytes(digest: Digest): Buffer {
  return Buffer.from(digest, "hex");
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
