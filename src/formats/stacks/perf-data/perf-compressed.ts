import { ZstdPieces } from "../../bytes/index.ts";
import { PerfBytes } from "./perf-bytes.ts";
import { type PerfRecord, readRecord, userRecord } from "./perf-record.ts";

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
