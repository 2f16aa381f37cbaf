import { type PerfAttr, sampleType } from "./perf-attr.ts";
import type { PerfBytes } from "./perf-bytes.ts";
import type { PerfFile } from "./perf-file.ts";
import type { PerfRecord } from "./perf-record.ts";

/** Records of the kernel. */
export const kernelRecord = { mmap: 1, lost: 2, comm: 3, exit: 4, fork: 7, sample: 9, mmap2: 10, lostSamples: 13 };

export interface PerfEvent {
  readonly type: number;
  readonly misc: number;
  readonly body: PerfBytes;
  /** Nanoseconds; 0 without. */
  readonly time: number;
  /** Of samples. */
  readonly sample?: RawSample;
}

export interface RawSample {
  readonly attr: PerfAttr;
  readonly process: number;
  readonly thread: number;
  /** 0 if it is not recorded. */
  readonly period: number;
  /** Where the addresses of the call chain start in the body, and their number; without a chain, of the address. */
  readonly chain: number;
  readonly depth: number;
}

/** Number of bits in a mask. */
function count(mask: bigint): number {
  let bits = 0;
  for (let rest = mask; rest > 0n; rest &= rest - 1n) bits++;
  return bits;
}

const beforeId = sampleType.ip | sampleType.tid | sampleType.time | sampleType.addr;
const afterTime = sampleType.id | sampleType.streamId | sampleType.cpu | sampleType.identifier;

/** Decodes the fixed part of records of the kernel: what all samples of a recording have in common. */
export class PerfEvents {
  readonly #file: PerfFile;
  /** Samples whose event is not described. */
  unknown = 0;

  constructor(file: PerfFile) {
    this.#file = file;
  }

  /** The event with its time; null for records of the perf program and samples of undescribed events. */
  decode({ type, misc, body }: PerfRecord): PerfEvent | null {
    if (type >= 64) return null;
    const [first] = this.#file.attrs;
    if (first === undefined) throw body.bad("it describes no event");
    if (type !== kernelRecord.sample) return { type, misc, body, time: trailingTime(first, body) };
    const id = this.#file.attrs.length === 1 ? null : idOf(first, body);
    const attr = this.#file.attrOf(id);
    if (attr === undefined) {
      this.unknown++;
      return null;
    }
    return { type, misc, body, ...readSample(attr, body) };
  }
}

/** Time at the end of other records, before at most four more fields. */
function trailingTime(attr: PerfAttr, body: PerfBytes): number {
  if (!attr.hasSampleIds || (attr.sampleType & sampleType.time) === 0n) return 0;
  const at = body.bytes.length - 8 * (1 + count(attr.sampleType & afterTime));
  return body.part(at, 8, "a record").u64();
}

function idOf({ sampleType: sampled }: PerfAttr, body: PerfBytes): number | null {
  if ((sampled & sampleType.identifier) !== 0n) return body.part(0, 8, "a sample").u64();
  if ((sampled & sampleType.id) === 0n) return null;
  return body.part(8 * count(sampled & beforeId), 8, "a sample").u64();
}

function readSample(attr: PerfAttr, body: PerfBytes): { readonly time: number; readonly sample: RawSample } {
  const { sampleType: sampled } = attr;
  const has = (bit: bigint): boolean => (sampled & bit) !== 0n;
  const skip = (bit: bigint): void => void (has(bit) && body.skip(8));
  skip(sampleType.identifier);
  const ip = body.at;
  skip(sampleType.ip);
  const [process, thread] = has(sampleType.tid) ? [body.i32(), body.i32()] : [-1, -1];
  const time = has(sampleType.time) ? body.u64() : 0;
  skip(sampleType.addr);
  skip(sampleType.id);
  skip(sampleType.streamId);
  skip(sampleType.cpu);
  const period = has(sampleType.period) ? body.u64() : attr.period;
  if (has(sampleType.read)) skipCounts(attr.readFormat, body);
  if (!has(sampleType.callchain))
    return { time, sample: { attr, process, thread, period, chain: ip, depth: has(sampleType.ip) ? 1 : 0 } };
  const depth = body.u64();
  if (depth > body.rest / 8) throw body.bad("a sample has an impossible number of calls");
  return { time, sample: { attr, process, thread, period, chain: body.at, depth } };
}

/** Counts that were read together with a sample (`struct read_format`). */
function skipCounts(format: bigint, body: PerfBytes): void {
  const isGroup = (format & 8n) !== 0n;
  const counters = isGroup ? body.u64() : 1;
  const times = count(format & 3n);
  const each = 1 + count(format & 20n);
  body.skip(8 * (times + counters * each));
}
