import type { PerfBytes } from "./perf-bytes.ts";

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
