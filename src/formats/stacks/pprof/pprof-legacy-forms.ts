import type { SampleLabels, ValueType } from "../../../core/profiles/index.ts";

type Attributes = ReadonlyMap<string, string>;

/** The interpretation of samples in a text profile. */
export interface LegacyFormat {
  /** The last is the main type. */
  readonly types: readonly ValueType[];
  readonly periodType?: ValueType;
  /** 0 if unknown. */
  period(attributes: Attributes): number;
  /** The values of a sample by the numbers before its addresses; null if these are invalid. */
  valuesOf(
    numbers: readonly number[],
    attributes: Attributes,
  ): { readonly values: readonly number[]; readonly labels?: SampleLabels } | null;
}

const [count, bytes, nanoseconds] = ["count", "bytes", "nanoseconds"] as const;
/** Sampling rate of Java's heap in bytes. */
const javaRate = 512 << 10;

/** `heap profile: OBJECTS: BYTES [ALL OBJECTS: ALL BYTES] @ KIND/RATE`, with live objects first. */
export function heapFormat(head: string): LegacyFormat | null {
  const [, inUse, all, kind = "", rateText = ""] =
    /^heap profile: *(\d+): *\d+ *\[ *(\d+): *\d+ *\] *@ *([_a-z0-9]*)\/?(\d*)/.exec(head.trim()) ?? [];
  if (inUse === undefined) return null;
  const declared = Number(rateText || 0);
  // Go and old tcmalloc versions write twice the mean sampling distance.
  const rate = /^heapz?_v2$/.test(kind) ? declared : kind === "heap" || kind === "heapz" ? Math.floor(declared / 2) : 1;
  const hasAll = !/^(?:growth|fragmentation)/.test(kind) && all !== inUse && all !== "0";
  const used = [
    valueType(hasAll ? "inuse_objects" : "objects", count),
    valueType(hasAll ? "inuse_space" : "space", bytes),
  ];
  const types = hasAll ? [valueType("alloc_objects", count), valueType("alloc_space", bytes), ...used] : used;
  return {
    types,
    periodType: valueType("space", bytes),
    period: () => rate,
    valuesOf: (numbers) => heapValues(numbers, hasAll, rate),
  };
}

function heapValues(
  [objects, space, allObjects, allSpace, more]: readonly number[],
  hasAll: boolean,
  rate: number,
): ReturnType<LegacyFormat["valuesOf"]> {
  if (objects === undefined || space === undefined || allSpace === undefined || more !== undefined) return null;
  const used = unsample(objects, space, rate);
  const values = hasAll ? [...unsample(allObjects!, allSpace, rate), ...used] : used;
  const size = objects > 0 ? Math.floor(space / objects) : allObjects! > 0 ? Math.floor(allSpace / allObjects!) : 0;
  return { values, labels: new Map(size > 0 ? [["bytes", [{ value: size, unit: bytes }]]] : []) };
}

/**
 * Extrapolates sampled objects: an object of mean size is sampled with probability 1 − e^(−size/rate).
 */
function unsample(objects: number, space: number, rate: number): number[] {
  if (objects === 0 || space === 0) return [0, 0];
  if (rate <= 1) return [objects, space];
  const factor = 1 / (1 - Math.exp(-space / objects / rate));
  return [Math.trunc(objects * factor), Math.trunc(space * factor)];
}

/** `DELAY COUNT @ …`: waits for locks, in cycles whose length is in the head. */
export function contentionFormat(head: string): LegacyFormat | null {
  if (!/^--- (?:contentionz \d+ ---|mutex:|contention:)/.test(head)) return null;
  const period = (attributes: Attributes): number => numberAt(attributes, "sampling period") || 1;
  return {
    types: [valueType("contentions", count), valueType("delay", nanoseconds)],
    periodType: valueType("contentions", count),
    period,
    valuesOf: ([delay, contentions, more], attributes) => {
      if (delay === undefined || contentions === undefined || more !== undefined) return null;
      const perNanosecond = numberAt(attributes, "cycles/second") / 1e9;
      const cycles = delay * period(attributes);
      return {
        values: [contentions * period(attributes), perNanosecond > 0 ? Math.trunc(cycles / perNanosecond) : cycles],
      };
    },
  };
}

/** `goroutine profile: total 7`: counts by stack. */
export function countFormat(head: string): LegacyFormat | null {
  const [, name] = /^(\S+) profile: total \d+\s*$/.exec(head) ?? [];
  if (name === undefined) return null;
  return {
    types: [valueType(name, count)],
    periodType: valueType(name, count),
    period: () => 1,
    valuesOf: ([number, more]) => (number === undefined || more !== undefined ? null : { values: [number] }),
  };
}

/** Java's heap and contention profiles: `BYTES OBJECTS @ …`, `MICROSECONDS COUNT @ …`. */
export function javaFormat(head: string): LegacyFormat | null {
  const isHeap = /^--- heapz \d+ ---/.test(head);
  if (!isHeap && !/^--- contentionz \d+ ---/.test(head)) return null;
  const period = (attributes: Attributes): number => (isHeap ? javaRate : numberAt(attributes, "sampling period") || 1);
  return {
    types: isHeap
      ? [valueType("inuse_objects", count), valueType("inuse_space", bytes)]
      : [valueType("contentions", count), valueType("delay", "microseconds")],
    periodType: isHeap ? valueType("objects", count) : valueType("contentions", count),
    period,
    valuesOf: ([amount, number, more], attributes) => {
      if (amount === undefined || number === undefined || more !== undefined) return null;
      if (isHeap) return { values: unsample(number, amount, javaRate) };
      return { values: [number * period(attributes), amount * period(attributes)] };
    },
  };
}

function valueType(name: string, unit: string): ValueType {
  return { name, unit };
}

function numberAt(attributes: Attributes, name: string): number {
  const text = attributes.get(name) ?? "";
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
}

/** The encoding of words in a binary profile: 4 or 8 bytes in either byte order. */
export interface LegacyWords {
  readonly size: 4 | 8;
  readonly isLittle: boolean;
  readonly isJava: boolean;
  /** Microseconds. */
  readonly period: number;
}

/**
 * Detects the encoding of a CPU profile by its header: 0, 3, a version (0, or 1 for Java), the period, 0. Returns null
 * for other files.
 */
export function legacyCpuWords(head: Uint8Array): LegacyWords | null {
  const forms = [4, 8].flatMap((size) => [true, false].map((isLittle) => ({ size: size as 4 | 8, isLittle })));
  for (const form of forms) {
    if (head.length < 5 * form.size) continue;
    const words = wordReader(head, form);
    const [first, header, version, period, padding] = [0, 1, 2, 3, 4].map((at) => Number(words(at)));
    if (
      first === 0 &&
      header === 3 &&
      (version === 0 || version === 1) &&
      period! > 0 &&
      period! < 1e9 &&
      padding === 0
    )
      return { ...form, isJava: version === 1, period: period! };
  }
  return null;
}

export function wordReader(
  bytes: Uint8Array,
  { size, isLittle }: { readonly size: 4 | 8; readonly isLittle: boolean },
): (at: number) => bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 4) return (at) => BigInt(view.getUint32(at * 4, isLittle));
  return (at) => view.getBigUint64(at * 8, isLittle);
}

/** First lines of text profiles: heaps, lock contention, threads, and counts by stack of Go. */
export const firstLine = new RegExp(
  String.raw`^(?:heap profile: *\d+: *\d+ *\[ *\d+: *\d+ *\] *@|--- (?:contentionz|heapz|threadz) \d+` +
    String.raw` ---|--- (?:mutex|contention):|--- Thread [0-9a-f]+ \(name: |\S+ profile: total \d+\s*$)`,
  "m",
);

/** Whether a file starts like a legacy profile. */
export function isPprofLegacy(head: Uint8Array): boolean {
  if (legacyCpuWords(head) !== null) return true;
  const text = new TextDecoder().decode(head.subarray(0, 1024)).replace(/^(?:\s*#.*\n|\s*\n)*/, "");
  return text.search(firstLine) === 0;
}
