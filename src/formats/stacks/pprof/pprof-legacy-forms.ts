import type { SampleLabels, ValueType } from "../../../core/profiles/stack-profile.ts";

type Attributes = ReadonlyMap<string, string>;

/** How the samples of a text profile are to be read. */
export interface LegacyForm {
  /** The last is the one that is meant. */
  readonly types: readonly ValueType[];
  readonly periodType?: ValueType;
  /** 0: not known. */
  period(attributes: Attributes): number;
  /** The values of a sample by the numbers that stand before its addresses; null: these are none. */
  valuesOf(
    numbers: readonly number[],
    attributes: Attributes,
  ): { readonly values: readonly number[]; readonly labels?: SampleLabels } | null;
}

const [count, bytes, nanoseconds] = ["count", "bytes", "nanoseconds"] as const;
/** What Java's heap is sampled at. */
const javaRate = 512 << 10;

/** `heap profile: OBJECTS: BYTES [ALL OBJECTS: ALL BYTES] @ KIND/RATE`, with what is in use first. */
export function heapForm(head: string): LegacyForm | null {
  const [, inUse, all, kind = "", rateText = ""] =
    /^heap profile: *(\d+): *\d+ *\[ *(\d+): *\d+ *\] *@ *([_a-z0-9]*)\/?(\d*)/.exec(head.trim()) ?? [];
  if (inUse === undefined) return null;
  const given = Number(rateText || 0);
  // Go's and tcmalloc's old header tells twice the mean distance of samples.
  const rate = /^heapz?_v2$/.test(kind) ? given : kind === "heap" || kind === "heapz" ? Math.floor(given / 2) : 1;
  const hasAll = !/^(?:growth|fragmentation)/.test(kind) && all !== inUse && all !== "0";
  const used = [typed(hasAll ? "inuse_objects" : "objects", count), typed(hasAll ? "inuse_space" : "space", bytes)];
  const types = hasAll ? [typed("alloc_objects", count), typed("alloc_space", bytes), ...used] : used;
  return {
    types,
    periodType: typed("space", bytes),
    period: () => rate,
    valuesOf: (numbers) => heapValues(numbers, hasAll, rate),
  };
}

function heapValues(
  [objects, space, allObjects, allSpace, more]: readonly number[],
  hasAll: boolean,
  rate: number,
): ReturnType<LegacyForm["valuesOf"]> {
  if (objects === undefined || space === undefined || allSpace === undefined || more !== undefined) return null;
  const used = scaled(objects, space, rate);
  const values = hasAll ? [...scaled(allObjects!, allSpace, rate), ...used] : used;
  const size = objects > 0 ? Math.floor(space / objects) : allObjects! > 0 ? Math.floor(allSpace / allObjects!) : 0;
  return { values, labels: new Map(size > 0 ? [["bytes", [{ value: size, unit: bytes }]]] : []) };
}

/**
 * What objects stand for of which one in so many bytes was seen: an object of mean size has the chance 1 −
 * e^(−size/rate).
 */
function scaled(objects: number, space: number, rate: number): number[] {
  if (objects === 0 || space === 0) return [0, 0];
  if (rate <= 1) return [objects, space];
  const factor = 1 / (1 - Math.exp(-space / objects / rate));
  return [Math.trunc(objects * factor), Math.trunc(space * factor)];
}

/** `DELAY COUNT @ …`: who waited for locks, in cycles of which the head tells the length. */
export function contentionForm(head: string): LegacyForm | null {
  if (!/^--- (?:contentionz \d+ ---|mutex:|contention:)/.test(head)) return null;
  const period = (attributes: Attributes): number => numberAt(attributes, "sampling period") || 1;
  return {
    types: [typed("contentions", count), typed("delay", nanoseconds)],
    periodType: typed("contentions", count),
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

/** `goroutine profile: total 7`: how many there are with a stack. */
export function countForm(head: string): LegacyForm | null {
  const [, name] = /^(\S+) profile: total \d+\s*$/.exec(head) ?? [];
  if (name === undefined) return null;
  return {
    types: [typed(name, count)],
    periodType: typed(name, count),
    period: () => 1,
    valuesOf: ([number, more]) => (number === undefined || more !== undefined ? null : { values: [number] }),
  };
}

/** Java's heap and contention profiles: `BYTES OBJECTS @ …`, `MICROSECONDS COUNT @ …`. */
export function javaForm(head: string): LegacyForm | null {
  const isHeap = /^--- heapz \d+ ---/.test(head);
  if (!isHeap && !/^--- contentionz \d+ ---/.test(head)) return null;
  const period = (attributes: Attributes): number => (isHeap ? javaRate : numberAt(attributes, "sampling period") || 1);
  return {
    types: isHeap
      ? [typed("inuse_objects", count), typed("inuse_space", bytes)]
      : [typed("contentions", count), typed("delay", "microseconds")],
    periodType: isHeap ? typed("objects", count) : typed("contentions", count),
    period,
    valuesOf: ([amount, number, more], attributes) => {
      if (amount === undefined || number === undefined || more !== undefined) return null;
      if (isHeap) return { values: scaled(number, amount, javaRate) };
      return { values: [number * period(attributes), amount * period(attributes)] };
    },
  };
}

function typed(name: string, unit: string): ValueType {
  return { name, unit };
}

function numberAt(attributes: Attributes, name: string): number {
  const text = attributes.get(name) ?? "";
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
}
