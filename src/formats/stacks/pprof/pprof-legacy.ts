import { Failure } from "../../../core/failures/index.ts";
import {
  StackSamples,
  type SampleLabels,
  type StackFacts,
  type StackFrame,
  type StackModule,
  type StackProfile,
  type ValueType,
  StackTable,
} from "../../../core/profiles/index.ts";
import {
  contentionFormat,
  countFormat,
  firstLine,
  heapFormat,
  javaFormat,
  legacyCpuWords,
  wordReader,
  type LegacyFormat,
  type LegacyWords,
} from "./pprof-legacy-forms.ts";

/** The symbol at an address. */
type SymbolLocation = Pick<StackFrame, "function" | "source" | "line">;

/** Stacks of addresses; symbols and modules follow the samples in a profile. */
class LegacyStacks {
  readonly #addresses = new StackTable<bigint>();
  readonly #samples: StackSamples;
  readonly #types: readonly ValueType[];
  readonly #names = new Map<bigint, SymbolLocation>();
  readonly #modules: StackModule[] = [];
  #last = -1;

  constructor(types: readonly ValueType[]) {
    this.#types = types;
    this.#samples = new StackSamples(types.length);
  }

  /** Adds a sample; addresses are given innermost first. */
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

  /** Counts the last sample, if any, once more. */
  repeat(): void {
    if (this.#last >= 0) this.#samples.addTo(this.#last, 0, 1);
  }

  /** Names an address. The first name wins, because inlined calls precede their callers. */
  name(address: bigint, symbol: SymbolLocation): void {
    if (!this.#names.has(address)) this.#names.set(address, symbol);
  }

  /** Reads a line of a memory map in the kernel's or gperftools' format; ignores other lines. */
  takeMapping(line: string): void {
    const kernel = kernelMapping.exec(line);
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

  finish(main: number, facts: StackFacts): StackProfile {
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
    // Stacks contain return addresses; Go names the addresses of calls.
    const symbol = this.#names.get(address) ?? this.#names.get(address - 1n) ?? { function: "" };
    return { ...symbol, address, ...(module === undefined ? {} : { module }) };
  }
}

const kernelMapping = /^\s*([0-9a-f]{1,16})-([0-9a-f]{1,16})\s+[-rwxps]{4}\s+([0-9a-f]{1,16})\s+\S+\s+\d+\s*(.*)$/i;

/** Parses `0x1234 main (a.c:12)`; the location is optional. Returns null for other lines. */
function parseSymbol(line: string): readonly [address: bigint, symbol: SymbolLocation] | null {
  const [, digits, text = ""] = /^\s*0x([0-9a-f]{1,16})\s+(\S.*)$/i.exec(line.trimEnd()) ?? [];
  if (digits === undefined) return null;
  const [, name = text, source, row] = /^(\S+)\s+\(([^\s()]+?)(?::(\d{1,9}))?\)$/.exec(text) ?? [];
  const number = Number(row ?? 0);
  return [
    BigInt(`0x${digits}`),
    { function: name, ...(source === undefined ? {} : { source }), ...(number > 0 ? { line: number } : {}) },
  ];
}

/** The addresses in a line. */
function addressesIn(text: string): bigint[] {
  return [...text.matchAll(/0x([0-9a-f]{1,16})\b/gi)].map(([address]) => BigInt(address));
}

const mapHeading = /^(?:--- Memory map: ---|MAPPED_LIBRARIES:)/;

/** Reads a text profile. Fails with `bad-stack-profile`, `no-stacks`. */
function readLegacyText(text: string, file: string): StackProfile {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  const head = lines[first] ?? "";
  if (/^--- (?:threadz|Thread) /.test(head)) return readThreads(lines.slice(first), file);
  const form = formatOf(head, lines.slice(first + 1, first + 50));
  if (form === null) throw new Failure("no-stacks", { file, what: "legacy pprof" });
  return new LegacyTextReader(form, file).read(lines.slice(first + 1));
}

function formatOf(head: string, next: readonly string[]): LegacyFormat | null {
  const isJava = next.some((line) => /^format *= *java\b/.test(line.trim()));
  if (isJava) return javaFormat(head);
  return heapFormat(head) ?? contentionFormat(head) ?? countFormat(head);
}

class LegacyTextReader {
  readonly #form: LegacyFormat;
  readonly #file: string;
  readonly #stacks: LegacyStacks;
  readonly #attributes = new Map<string, string>();

  constructor(form: LegacyFormat, file: string) {
    this.#form = form;
    this.#file = file;
    this.#stacks = new LegacyStacks(form.types);
  }

  read(lines: readonly string[]): StackProfile {
    const map = lines.findIndex((line) => mapHeading.test(line.trim()));
    for (const line of map < 0 ? lines : lines.slice(0, map)) this.#takeLine(line);
    if (map >= 0) for (const line of lines.slice(map + 1)) this.#stacks.takeMapping(line);
    if (this.#stacks.isEmpty) throw new Failure("no-stacks", { file: this.#file, what: "legacy pprof" });
    return this.#stacks.finish(this.#form.types.length - 1, this.#facts(this.#form.periodType));
  }

  #takeLine(line: string): void {
    const [, key, value] = /^\s*([a-z][a-z /]*?)\s*=\s*(.*)$/i.exec(line) ?? [];
    if (key !== undefined && !line.includes("@")) return void this.#attributes.set(key.toLowerCase(), value ?? "");
    const [, values, addresses] = /^\s*([-\d:[\] ]+?)\s*@(.*)$/.exec(line) ?? [];
    if (values !== undefined) return this.#takeSample(values, addresses ?? "");
    // Go writes symbols in comments after the samples.
    const named = parseSymbol(line.replace(/^#/, ""));
    if (named !== null) this.#stacks.name(named[0], parseGoSymbol(named[1].function) ?? named[1]);
  }

  #takeSample(values: string, addresses: string): void {
    const numbers = [...values.matchAll(/-?\d{1,18}/g)].map(([text]) => Number(text));
    const sample = this.#form.valuesOf(numbers, this.#attributes);
    if (sample === null)
      throw new Failure("bad-stack-profile", {
        file: this.#file,
        format: "legacy pprof",
        reason: `'${values.slice(0, 40)}' is not a sample`,
      });
    this.#stacks.add(addressesIn(addresses), sample.values, sample.labels);
  }

  #facts(periodType: ValueType | undefined): StackFacts {
    const value = this.#form.period(this.#attributes);
    return periodType === undefined || value <= 0 ? {} : { period: { type: periodType, value } };
  }
}

/** `runtime.gopark+0x104	/go/src/runtime/proc.go:425`: name, offset, location. */
function parseGoSymbol(text: string): { function: string; source: string; line: number } | null {
  const [, name, source, line] = /^(\S+?)\+0x[0-9a-f]+\s+(\S.*):(\d{1,9})$/.exec(text) ?? [];
  return name === undefined ? null : { function: name, source: source ?? "", line: Number(line) };
}

/**
 * Reads a list of threads with stacks; a thread may refer to the stack of the previous one. Fails with `no-stacks`.
 */
function readThreads(lines: readonly string[], file: string): StackProfile {
  const stacks = new LegacyStacks([{ name: "thread", unit: "count" }]);
  let addresses: bigint[] | null = null;
  let isInMap = false;
  const finish = (): void => {
    if (addresses !== null && addresses.length > 0) stacks.add(addresses, [1]);
    else if (addresses !== null) stacks.repeat();
    addresses = null;
  };
  for (const line of lines) {
    if (line.startsWith("---") || line.startsWith("MAPPED_LIBRARIES:")) {
      finish();
      isInMap = !line.startsWith("--- Thread ");
      if (!isInMap) addresses = [];
    } else if (isInMap) stacks.takeMapping(line);
    else if (addresses !== null && !line.includes("same as previous thread")) {
      addresses.push(...addressesIn(line));
      const named = parseSymbol(line.replace(/^\s*PC:/, "").replace(/^(\s*0x[0-9a-f]+):/i, "$1"));
      if (named !== null && !named[1].function.startsWith("0x")) stacks.name(...named);
    }
  }
  finish();
  if (stacks.isEmpty) throw new Failure("no-stacks", { file, what: "legacy pprof" });
  return stacks.finish(0, {});
}

/** Maximum depth of a stack. */
const maxDepth = 1 << 14;

/**
 * Reads records of count, depth and addresses up to the end record, then symbols (Java) or the memory map as text.
 */
function readLegacyCpu(form: LegacyWords, bytes: Uint8Array, file: string): StackProfile {
  const stacks = new LegacyStacks([
    { name: "samples", unit: "count" },
    { name: "cpu", unit: "nanoseconds" },
  ]);
  const rest = readRecords(form, bytes, stacks, file);
  for (const line of new TextDecoder().decode(bytes.subarray(rest)).split("\n")) {
    const named = form.isJava ? parseSymbol(line) : null;
    if (named !== null) stacks.name(...named);
    else stacks.takeMapping(line);
  }
  const period = { type: { name: "cpu", unit: "nanoseconds" }, value: form.period * 1000 };
  return stacks.finish(1, { period });
}

/** Returns the offset of the text after the records. */
function readRecords(form: LegacyWords, bytes: Uint8Array, stacks: LegacyStacks, file: string): number {
  const word = wordReader(bytes, form);
  const count = Math.floor(bytes.length / form.size);
  const bad = (reason: string): Failure =>
    new Failure("bad-stack-profile", { file, format: "legacy pprof CPU", reason });
  for (let at = 5; at + 2 <= count;) {
    const [samples, depth] = [Number(word(at)), Number(word(at + 1))];
    if (depth > maxDepth || at + 2 + depth > count) throw bad("unexpected end in a sample, or an invalid sample");
    const addresses = Array.from({ length: depth }, (_, call) => word(at + 2 + call));
    at += 2 + depth;
    if (samples === 0 && depth === 1 && addresses[0] === 0n) return at * form.size;
    if (depth === 0 || samples > Number.MAX_SAFE_INTEGER) throw bad("a sample is invalid");
    stacks.add(addresses, [samples, samples * form.period * 1000]);
  }
  throw bad("the end of its samples is missing");
}

/**
 * Reads profiles that precede pprof's format: heap, growth, contention and thread profiles of gperftools, Go and Java
 * as text, and binary CPU profiles. Layout: gperftools' documentation of cpuprofile, and legacy_profile.go of
 * github.com/google/pprof. Frames without a symbol are addresses. Sampled heaps are extrapolated as in pprof. Fails
 * with `bad-stack-profile`, `no-stacks`.
 */
export function readPprofLegacy(bytes: Uint8Array, file: string): StackProfile {
  const words = legacyCpuWords(bytes);
  if (words !== null) return readLegacyCpu(words, bytes, file);
  const text = new TextDecoder().decode(bytes);
  if (!firstLine.test(text.slice(0, 4096))) throw new Failure("no-stacks", { file, what: "legacy pprof" });
  return readLegacyText(text, file);
}
