import { Failure } from "../../../core/failures/index.ts";
import { PerfBytes, hexOf } from "./perf-bytes.ts";
import { type PerfAttr, readPerfAttr } from "./perf-attr.ts";
import { type PerfRecord, decompressedRecords, readRecord, userRecord } from "./perf-record.ts";

const features = { buildId: 2, release: 4, commandLine: 11, events: 12 } as const;
/** `PERFILE2` */
const magic = [0x50, 0x45, 0x52, 0x46, 0x49, 0x4c, 0x45, 0x32];

/** Whether a file starts as `perf record` writes it, on a machine of either byte order. */
export function isPerfData(head: Uint8Array): boolean {
  return magic.every((byte, at) => head[at] === byte) || isBigEndian(head);
}

function isBigEndian(head: Uint8Array): boolean {
  return magic.every((byte, at) => head[7 - at] === byte);
}

/** A recording of `perf record`: its events, metadata and records (perf.data-file-format.txt of the perf sources). */
export class PerfFile {
  readonly attrs: PerfAttr[] = [];
  /** Build ids in hexadecimal by path. */
  readonly buildIds = new Map<string, string>();
  commandLine: readonly string[] = [];
  readonly #attrOf = new Map<number, PerfAttr>();
  readonly #names = new Map<number, string>();
  readonly #file: PerfBytes;
  readonly #data: PerfBytes;

  constructor(bytes: Uint8Array, path: string) {
    const file = (this.#file = new PerfBytes(bytes, path));
    if (isBigEndian(bytes))
      throw new Failure("needs-perf-script", { file: path, reason: "it was recorded on a big-endian machine" });
    if (!isPerfData(bytes)) throw file.bad("it has no header");
    file.skip(8);
    const headerSize = file.u64();
    this.#data = headerSize === 16 ? file.part(16, bytes.length - 16, "the data") : this.#readHeader(headerSize);
  }

  /** The event of a sample; the only one if samples have no ids. */
  attrOf(id: number | null): PerfAttr | undefined {
    return id === null ? this.attrs[0] : (this.#attrOf.get(id) ?? (id === 0 ? this.attrs[0] : undefined));
  }

  /** The name that the user gave an event. */
  nameOf(attr: PerfAttr): string {
    return this.#names.get(this.attrs.indexOf(attr)) ?? attr.name;
  }

  /** All records in the order of the file. Metadata of pipes is taken on the way. */
  *records(): Generator<PerfRecord> {
    yield* this.#recordsOf(decompressedRecords(this.#recordsIn(this.#data)));
  }

  *#recordsOf(records: Iterable<PerfRecord>): Generator<PerfRecord> {
    for (const record of records) {
      const { type, body } = record;
      if (type === userRecord.attr) this.#readPipedAttr(body);
      else if (type === userRecord.feature) this.#readFeature(body.u64(), body);
      else if (type === userRecord.buildId) this.#readBuildId(record.misc, body);
      else yield record;
    }
  }

  *#recordsIn(data: PerfBytes): Generator<PerfRecord> {
    while (data.rest > 0) {
      const record = readRecord(data);
      yield record;
      // These have data of their own next to them.
      if (record.type === userRecord.tracingData) data.skip(Math.ceil(record.body.u32() / 8) * 8);
      else if (record.type === userRecord.auxTrace) data.skip(record.body.u64());
    }
  }

  #readHeader(headerSize: number): PerfBytes {
    const file = this.#file;
    if (headerSize < 104) throw file.bad("its header has an impossible size");
    const attrSize = file.u64();
    const [attrs, attrBytes] = [file.u64(), file.u64()];
    const [start, size] = [file.u64(), file.u64()];
    file.skip(16);
    const present = file.bits();
    if (size === 0) throw file.bad("perf record was not terminated properly");
    if (attrSize < 80) throw file.bad("an event has an impossible size");
    for (let at = 0; at + attrSize <= attrBytes; at += attrSize) {
      const attr = file.part(attrs + at, attrSize, "an event");
      const ids = file.part(attrs + at + attrSize - 16, 16, "an event");
      this.#addAttr(readPerfAttr(attr), file.part(ids.u64(), ids.u64(), "the ids of an event"));
    }
    this.#readFeatures(start + size, present);
    return file.part(start, size, "the data");
  }

  #readFeatures(offset: number, present: bigint): void {
    let at = offset;
    for (let feature = 0; feature < 64; feature++) {
      if ((present & (1n << BigInt(feature))) === 0n) continue;
      const section = this.#file.part(at, 16, "the table of features");
      at += 16;
      this.#readFeature(feature, this.#file.part(section.u64(), section.u64(), "a feature"));
    }
  }

  #readFeature(feature: number, part: PerfBytes): void {
    if (feature === features.events) this.#readEvents(part);
    else if (feature === features.commandLine)
      this.commandLine = Array.from({ length: Math.min(part.u32(), part.rest / 4) }, () => part.sizedText());
    else if (feature === features.buildId)
      while (part.rest >= 8) {
        const { misc, body } = readRecord(part);
        this.#readBuildId(misc, body);
      }
  }

  #readBuildId(misc: number, body: PerfBytes): void {
    body.skip(4);
    const id = body.skip(24);
    const hasSize = (misc & (1 << 15)) !== 0;
    const size = Math.min(20, hasSize ? body.bytes[id + 20]! : 20);
    const path = body.text();
    if (size > 0) this.buildIds.set(moduleOf(path), hexOf(body.bytes.subarray(id, id + size)));
  }

  /** Names of events by their ids. */
  #readEvents(part: PerfBytes): void {
    const [count, attrSize] = [part.u32(), part.u32()];
    for (let event = 0; event < count; event++) {
      part.skip(attrSize);
      const ids = part.u32();
      this.#names.set(event, part.sizedText());
      part.skip(ids * 8);
    }
  }

  #readPipedAttr(body: PerfBytes): void {
    const size = body.part(4, 4, "an event").u32();
    const attr = readPerfAttr(body.part(0, size, "an event"));
    this.#addAttr(attr, body.part(size, body.bytes.length - size, "the ids of an event"));
  }

  #addAttr(attr: PerfAttr, ids: PerfBytes): void {
    this.attrs.push(attr);
    while (ids.rest >= 8) this.#attrOf.set(ids.u64(), attr);
  }
}

/** The kernel's image has the name of its first symbol appended. */
export function moduleOf(path: string): string {
  return path.startsWith("[kernel.kallsyms]") ? "[kernel.kallsyms]" : path.replace(/ \(deleted\)$/, "");
}
