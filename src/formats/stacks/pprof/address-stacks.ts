import { StackSamples, type SampleLabels, type StackFacts, type StackFrame, type StackModule, type StackProfile, type ValueType } from "../../../core/profiles/stack-profile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";

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

/** What a text tells of an address. */
export type NamedPlace = Pick<StackFrame, "function" | "source" | "line">;

/** Stacks of addresses, whose names and modules a profile tells after the samples. */
export class LegacyStacks {
  readonly #addresses = new StackTable<bigint>();
  readonly #samples: StackSamples;
  readonly #types: readonly ValueType[];
  readonly #names = new Map<bigint, NamedPlace>();
  readonly #modules: StackModule[] = [];
  #last = -1;

  constructor(types: readonly ValueType[]) {
    this.#types = types;
    this.#samples = new StackSamples(types.length);
  }

  /** Adds a sample of a stack whose addresses are given inner first. */
  add(addresses: readonly bigint[], values: readonly number[], labels: SampleLabels = new Map()): void {
    const table = this.#addresses;
    const stack = addresses.reduceRight(
      (caller, address) =>
        table.called(
          caller,
          table.frame(String(address), () => address),
        ),
      0,
    );
    this.#last = this.#samples.row(stack, this.#samples.labels(labels));
    values.forEach((value, type) => this.#samples.addTo(this.#last, type, value));
  }

  /** Counts the last sample once more; without any, nothing happens. */
  repeat(): void {
    if (this.#last >= 0) this.#samples.addTo(this.#last, 0, 1);
  }

  /** What is told first of an address counts: inlined calls come before the one that they were put into. */
  name(address: bigint, place: NamedPlace): void {
    if (!this.#names.has(address)) this.#names.set(address, place);
  }

  /** A line of a memory map, as the kernel or a profiler writes it; others say nothing. */
  takeMapping(line: string): void {
    const kernel = /^\s*([0-9a-f]{1,16})-([0-9a-f]{1,16})\s+[-rwxps]{4}\s+([0-9a-f]{1,16})\s+\S+\s+\d+\s*(.*)$/i.exec(
      line,
    );
    const brief = kernel ?? /^\s*([0-9a-f]{1,16})-([0-9a-f]{1,16}):?()\s+(\S.*)$/i.exec(line);
    if (brief === null || (kernel !== null && !/x[ps]\s/.test(line.slice(0, 80)))) return;
    const [, start = "0", limit = "0", offset = "", path = ""] = brief;
    this.#modules.push({
      path: path.trim(),
      start: BigInt(`0x${start}`),
      limit: BigInt(`0x${limit}`),
      offset: BigInt(`0x${offset || "0"}`),
    });
  }

  finished(main: number, facts: StackFacts): StackProfile {
    const stacks = new StackTable<StackFrame>();
    for (const address of this.#addresses.frames) stacks.frame(String(address), () => this.#frameOf(address));
    for (let node = 1; node < this.#addresses.size; node++)
      stacks.called(this.#addresses.callerOf(node), this.#addresses.callOf(node));
    const modules = this.#modules.length === 0 ? {} : { modules: this.#modules };
    return { stacks, types: this.#types, main, samples: this.#samples, facts: { ...facts, ...modules } };
  }

  get isEmpty(): boolean {
    return this.#samples.length === 0;
  }

  #frameOf(address: bigint): StackFrame {
    const module = this.#modules.find(({ start = 0n, limit = 0n }) => address >= start && address < limit);
    // Stacks hold the addresses to return to; Go names those of the calls.
    const place = this.#names.get(address) ?? this.#names.get(address - 1n) ?? { function: "" };
    return { ...place, address, ...(module === undefined ? {} : { module }) };
  }
}

/** `0x1234 main (a.c:12)`, of which what follows the address may be missing; null: the line is none. */
export function namedPlace(line: string): readonly [address: bigint, place: NamedPlace] | null {
  const [, digits, text = ""] = /^\s*0x([0-9a-f]{1,16})\s+(\S.*)$/i.exec(line.trimEnd()) ?? [];
  if (digits === undefined) return null;
  const [, name = text, source, row] = /^(\S+)\s+\(([^\s()]+?)(?::(\d{1,9}))?\)$/.exec(text) ?? [];
  const number = Number(row ?? 0);
  return [
    BigInt(`0x${digits}`),
    { function: name, ...(source === undefined ? {} : { source }), ...(number > 0 ? { line: number } : {}) },
  ];
}

/** All addresses of a line, in their order. */
export function addressesIn(text: string): bigint[] {
  return [...text.matchAll(/0x([0-9a-f]{1,16})\b/gi)].map(([address]) => BigInt(address));
}
