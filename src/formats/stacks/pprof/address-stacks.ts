import {
  StackSamples,
  type SampleLabels,
  type StackFacts,
  type StackFrame,
  type StackModule,
  type StackProfile,
  type ValueType,
} from "../../../core/profiles/stack-profile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";

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
