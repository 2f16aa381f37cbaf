import { ZstdPieces } from "../../bytes/index.ts";
import { PerfBytes } from "./perf-bytes.ts";

/** Records that only the perf program writes. */
export const userRecord = {
  attr: 64,
  tracingData: 66,
  buildId: 67,
  auxTrace: 71,
  feature: 80,
  compressed: 81,
  compressed2: 83,
} as const;

/** A record: its type, its flags, and its bytes after the header. */
export interface PerfRecord {
  readonly type: number;
  readonly misc: number;
  readonly body: PerfBytes;
}

/** Reads the record at the position of `data`. */
export function readRecord(data: PerfBytes): PerfRecord {
  const start = data.at;
  const [type, misc, size] = [data.u32(), data.u16(), data.u16()];
  if (size < 8) throw data.bad("a record has an impossible size");
  data.skip(size - 8);
  return { type, misc, body: data.part(start + 8, size - 8, "a record") };
}

/** Most bytes of decompressed records. */
const most = 1 << 30;

/** Replaces compressed records (`perf record -z`) by those that they hold. A record may continue in the next one. */
export function* decompressedRecords(records: Iterable<PerfRecord>): Generator<PerfRecord> {
  const pieces = new ZstdPieces();
  let [held, total] = [new Uint8Array(0), 0];
  for (const record of records) {
    const { type, body } = record;
    if (type !== userRecord.compressed && type !== userRecord.compressed2) {
      yield record;
      continue;
    }
    const plain = decompress(pieces, type === userRecord.compressed ? body : body.part(8, body.u64(), "a record"));
    if ((total += plain.length) > most) throw body.bad(`it has more than ${most >> 20} MiB of records`);
    const data = new PerfBytes(held.length === 0 ? plain : Buffer.concat([held, plain]), body.file);
    while (isComplete(data)) yield readRecord(data);
    held = data.bytes.slice(data.at);
  }
}

function decompress(pieces: ZstdPieces, body: PerfBytes): Uint8Array {
  try {
    return pieces.push(body.bytes, most);
  } catch (error) {
    throw body.bad(`its zstd data cannot be decompressed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isComplete(data: PerfBytes): boolean {
  if (data.rest < 8) return false;
  const size = data.bytes[data.at + 6]! | (data.bytes[data.at + 7]! << 8);
  return size < 8 || size <= data.rest;
}
