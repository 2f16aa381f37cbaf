import { isDigest, type Digest } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { ByteWriter } from "../bytes/index.ts";
import { compareByCodePoint } from "../text/index.ts";
import { sha1, hexOf } from "./object.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A cursor over the fields of a version index; every read is bounded by the file. Fails with `index-damaged`. */
class IndexReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  skip(count: number): void {
    if (count > this.#bytes.length - this.position)
      throw new Failure("index-damaged", { reason: `it ends inside an entry, after ${this.#bytes.length} bytes` });
    this.position += count;
  }

  uint32(): number {
    const at = this.position;
    this.skip(4);
    return this.#view.getUint32(at, true);
  }

  digest(): Digest {
    const at = this.position;
    this.skip(20);
    return hexOf(this.#bytes.subarray(at, at + 20)) as Digest;
  }

  /** A byte count followed by UTF-8 text of that length. */
  text(): string {
    const length = this.uint32();
    const at = this.position;
    this.skip(length);
    return this.#decode(at, this.position);
  }

  untilNul(): string {
    const at = this.position;
    const end = this.#bytes.indexOf(0, at);
    this.skip((end < 0 ? this.#bytes.length : end) - at + 1);
    return this.#decode(at, end);
  }

  #decode(start: number, end: number): string {
    try {
      return decoder.decode(this.#bytes.subarray(start, end));
    } catch (error) {
      throw new Failure("index-damaged", { reason: `a text at byte ${start} is not UTF-8` }, error);
    }
  }
}

/**
 * The index of a commit, which lists its profiles. All numbers are little-endian.
 *
 *     "pidx"  int32 version  int32 count  entries  [SHA-1 of everything before]
 *     entry of version 1:  uint32 time  20 bytes digest  name in UTF-8  NUL
 * version 2 adds: type, cmd, workload, collector, postprocessors (separated by blanks), each uint32 byte count and
 * UTF-8
 *
 * Perun writes version 2 without the checksum and reads both; before 0.17 it wrote version 1.
 */
const indexMagic = "pidx";

/** The fields of a profile in version 1. */
export interface IndexEntryV1 {
  /** Base name of the profile's file. */
  readonly name: string;
  /** Modification time of that file, unix seconds, below 2^32. */
  readonly time: number;
  readonly digest: Digest;
}

export interface IndexEntry extends IndexEntryV1 {
  readonly type: string;
  readonly cmd: string;
  readonly workload: string;
  readonly collector: string;
  /** Names without blanks, in the order they were applied. */
  readonly postprocessors: readonly string[];
}

/**
 * `trailer`: whether the checksum at the end matches (valid), matches without entries that Perun inserted before it
 * (stale), or is absent.
 */
export type DecodedIndex = { readonly trailer: "absent" | "valid" | "stale" } & (
  | { readonly formatVersion: 1; readonly entries: readonly IndexEntryV1[] }
  | { readonly formatVersion: 2; readonly entries: readonly IndexEntry[] }
);

/** True if the bytes have the signature of an index, which is unique in the store. */
export function isIndex(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && [...indexMagic].every((letter, i) => bytes[i] === letter.charCodeAt(0));
}

/** About ten milliseconds: enough for two inserted entries among 200, or three among 30. */
const usualEffort = 8 * 1024 * 1024;

/**
 * Reads an index. Fails with `index-damaged` and `index-unknown` (the caller adds its commit). `effort` limits the
 * bytes hashed to explain a stale checksum; beyond it the index counts as damaged.
 */
export function decodeIndex(bytes: Uint8Array, effort = usualEffort): DecodedIndex {
  if (!isIndex(bytes)) throw indexDamage("it does not begin with pidx");
  const reader = new IndexReader(bytes);
  reader.skip(4);
  const formatVersion = reader.uint32();
  if (formatVersion !== 1 && formatVersion !== 2) throw otherVersion(bytes, formatVersion);
  const count = reader.uint32();
  const shortest = formatVersion === 1 ? 25 : 45;
  if (count * shortest > bytes.length - 12) throw indexDamage(`it cannot hold the ${count} entries that it counts`);
  const starts: number[] = [];
  const entries: (IndexEntryV1 | IndexEntry)[] = [];
  for (let i = 0; i < count; i++) {
    starts.push(reader.position);
    entries.push(formatVersion === 1 ? readEntryV1(reader) : readEntry(reader));
  }
  starts.push(reader.position);
  return { formatVersion, entries, trailer: trailerState(bytes, starts, effort) } as DecodedIndex;
}

function readEntryV1(reader: IndexReader): IndexEntryV1 {
  const time = reader.uint32();
  const digest = reader.digest();
  return { time, digest, name: reader.untilNul() };
}

function readEntry(reader: IndexReader): IndexEntry {
  const entry = readEntryV1(reader);
  const [type, cmd, workload, collector, joined] = [
    reader.text(),
    reader.text(),
    reader.text(),
    reader.text(),
    reader.text(),
  ];
  return { ...entry, type, cmd, workload, collector, postprocessors: joined === "" ? [] : joined.split(" ") };
}

function trailerState(bytes: Uint8Array, starts: readonly number[], effort: number): DecodedIndex["trailer"] {
  const end = starts.at(-1) ?? bytes.length;
  const rest = bytes.length - end;
  if (rest === 0) return "absent";
  if (rest !== 20) throw indexDamage(`${rest} bytes follow its last entry`);
  const trailer = bytes.subarray(end);
  if (sha1(bytes.subarray(0, end)).every((byte, i) => byte === trailer[i])) return "valid";
  if (matchesTrailer(bytes, starts, trailer, effort)) return "stale";
  throw indexDamage("its checksum does not match");
}

/** Prints version 2, sorted by name and time; `trailer` appends the checksum. Names and times must fit the format. */
export function encodeIndex(entries: readonly IndexEntry[], options: { readonly trailer: boolean }): Uint8Array {
  const writer = new ByteWriter(12 + entries.length * 200);
  writer.ascii(indexMagic);
  writer.uint32(2);
  writer.uint32(entries.length);
  for (const entry of entries.toSorted(compareEntries)) writeEntry(entry, writer);
  if (options.trailer) writer.bytes(sha1(writer.written()));
  return writer.written();
}

function writeEntry(entry: IndexEntry, writer: ByteWriter): void {
  if (entry.name.includes("\0") || !isDigest(entry.digest))
    throw new RangeError(`no entry of an index: ${JSON.stringify(entry.name)}`);
  writer.uint32(Math.min(Math.max(Math.round(entry.time), 0), 0xffff_ffff));
  for (let i = 0; i < 40; i += 2) writer.byte(Number.parseInt(entry.digest.slice(i, i + 2), 16));
  writer.utf8(entry.name);
  writer.byte(0);
  for (const text of [entry.type, entry.cmd, entry.workload, entry.collector, entry.postprocessors.join(" ")]) {
    const bytes = new TextEncoder().encode(text);
    writer.uint32(bytes.length);
    writer.bytes(bytes);
  }
}

/**
 * The order of entries in an index: Perun's order, then by digest, which makes the bytes deterministic.
 */
export function compareEntries(a: IndexEntryV1, b: IndexEntryV1): number {
  return compareByCodePoint(a.name, b.name) || a.time - b.time || compareByCodePoint(a.digest, b.digest);
}

function indexDamage(reason: string): Failure {
  return new Failure("index-damaged", { reason });
}

/**
 * True if `trailer` is the checksum of this index without some of its entries. Perun is unaware of the checksum,
 * inserts entries before it and counts them in the header; without these entries the checksum matches. An altered bit
 * in any other entry is still detected, as no selection of entries then matches. `starts` are the offsets of the
 * entries and the end of the last; `effort` limits the bytes hashed in the search.
 */
function matchesTrailer(bytes: Uint8Array, starts: readonly number[], trailer: Uint8Array, effort: number): boolean {
  const count = starts.length - 1;
  const search = { bytes, starts, trailer, left: effort };
  for (let inserted = 1; inserted <= count && search.left > 0; inserted++)
    if (isChecksumWithoutMore(search, inserted, 0, [])) return true;
  return false;
}

interface Search {
  readonly bytes: Uint8Array;
  readonly starts: readonly number[];
  readonly trailer: Uint8Array;
  left: number;
}

/** Tries to exclude `more` entries from `first` on in addition to those in `out`. */
function isChecksumWithoutMore(search: Search, more: number, first: number, out: readonly number[]): boolean {
  if (more === 0) return isChecksumWithout(search, out);
  for (let entry = first; entry <= search.starts.length - 1 - more && search.left > 0; entry++) {
    if (isChecksumWithoutMore(search, more - 1, entry + 1, [...out, entry])) return true;
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

/** Versions count up by one; a larger number than this is damage. */
const latestPlausible = 15;

/** The failure for another format version: unknown, or damaged if the checksum fits one that is known. */
function otherVersion(bytes: Uint8Array, found: number): Failure {
  const isKnown = inKnownVersions(bytes).some((changed) =>
    sha1(changed.subarray(0, -20)).every((byte, at) => byte === changed[changed.length - 20 + at]),
  );
  if (isKnown || found === 0 || found > latestPlausible) return indexDamage(`its format version ${found} is unknown`);
  return new Failure("index-unknown", { found });
}

/** The bytes of an index with each known format version in place of its own. */
export function inKnownVersions(bytes: Uint8Array): Uint8Array[] {
  return [1, 2].map((known) => {
    const changed = bytes.slice();
    new DataView(changed.buffer).setUint32(4, known, true);
    return changed;
  });
}
