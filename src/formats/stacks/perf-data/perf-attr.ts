import type { PerfBytes } from "./perf-bytes.ts";

/** Bits of `sample_type` (perf_event_open(2)). */
export const sampleType = {
  ip: 1n << 0n,
  tid: 1n << 1n,
  time: 1n << 2n,
  addr: 1n << 3n,
  read: 1n << 4n,
  callchain: 1n << 5n,
  id: 1n << 6n,
  cpu: 1n << 7n,
  period: 1n << 8n,
  streamId: 1n << 9n,
  branchStack: 1n << 11n,
  stackUser: 1n << 13n,
  identifier: 1n << 16n,
} as const;

/** An event that was recorded, from `struct perf_event_attr`. */
export interface PerfAttr {
  readonly name: string;
  /** Samples have this weight if they have no period of their own; 0 with a frequency. */
  readonly period: number;
  readonly sampleType: bigint;
  readonly readFormat: bigint;
  /** Other records end with thread, time and id. */
  readonly hasSampleIds: boolean;
  /** Stacks were recorded as copies of memory or as branches: they must be unwound. */
  readonly mustUnwind: boolean;
}

const smallest = 64;
const branchCallStack = 1n << 11n;

const hardware = [
  "cycles",
  "instructions",
  "cache-references",
  "cache-misses",
  "branches",
  "branch-misses",
  "bus-cycles",
  "stalled-cycles-frontend",
  "stalled-cycles-backend",
  "ref-cycles",
];

const software = [
  "cpu-clock",
  "task-clock",
  "page-faults",
  "context-switches",
  "cpu-migrations",
  "minor-faults",
  "major-faults",
  "alignment-faults",
  "emulation-faults",
  "dummy",
  "bpf-output",
  "cgroup-switches",
];

/** Reads an attribute, which takes the whole part. */
export function readPerfAttr(part: PerfBytes): PerfAttr {
  if (part.rest < smallest) throw part.bad("an event has an impossible size");
  const type = part.u32();
  part.skip(4);
  const config = part.bits();
  const period = part.u64();
  const sampled = part.bits();
  const readFormat = part.bits();
  const flags = part.bits();
  part.skip(16);
  const branches = part.rest >= 16 ? (part.skip(8), part.bits()) : 0n;
  const isFrequency = (flags & (1n << 10n)) !== 0n;
  return {
    name: nameOf(type, config),
    period: isFrequency ? 0 : period,
    sampleType: sampled,
    readFormat,
    hasSampleIds: (flags & (1n << 18n)) !== 0n,
    mustUnwind:
      (sampled & sampleType.stackUser) !== 0n ||
      ((sampled & sampleType.branchStack) !== 0n && (branches & branchCallStack) !== 0n),
  };
}

/** The name for events without one in the recording. */
function nameOf(type: number, config: bigint): string {
  const known = type === 0 ? hardware[Number(config & 0xffn)] : type === 1 ? software[Number(config)] : undefined;
  return known ?? `raw 0x${config.toString(16)}`;
}
