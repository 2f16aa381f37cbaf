import { Failure } from "../../../core/failures/failure.ts";
import type { StackProfile, StackFacts, ValueType } from "../../../core/profiles/stack-profile.ts";
import { LegacyStacks, namedPlace, addressesIn, contentionForm, countForm, heapForm, javaForm, type LegacyForm } from "./address-stacks.ts";

const mapBegins = /^(?:--- Memory map: ---|MAPPED_LIBRARIES:)/;

/** Reads a profile that is text. Fails with `bad-stack-profile`, `no-stacks`. */
function readLegacyText(text: string, file: string): StackProfile {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  const head = lines[first] ?? "";
  if (/^--- (?:threadz|Thread) /.test(head)) return readThreads(lines.slice(first), file);
  const form = formOf(head, lines.slice(first + 1, first + 50));
  if (form === null) throw new Failure("no-stacks", { file, what: "pprof's old forms" });
  return new LegacyTextReader(form, file).read(lines.slice(first + 1));
}

function formOf(head: string, next: readonly string[]): LegacyForm | null {
  const isJava = next.some((line) => /^format *= *java\b/.test(line.trim()));
  if (isJava) return javaForm(head);
  return heapForm(head) ?? contentionForm(head) ?? countForm(head);
}

class LegacyTextReader {
  readonly #form: LegacyForm;
  readonly #file: string;
  readonly #stacks: LegacyStacks;
  readonly #attributes = new Map<string, string>();

  constructor(form: LegacyForm, file: string) {
    this.#form = form;
    this.#file = file;
    this.#stacks = new LegacyStacks(form.types);
  }

  read(lines: readonly string[]): StackProfile {
    const map = lines.findIndex((line) => mapBegins.test(line.trim()));
    for (const line of map < 0 ? lines : lines.slice(0, map)) this.#takeLine(line);
    if (map >= 0) for (const line of lines.slice(map + 1)) this.#stacks.takeMapping(line);
    if (this.#stacks.isEmpty) throw new Failure("no-stacks", { file: this.#file, what: "pprof's old forms" });
    return this.#stacks.finished(this.#form.types.length - 1, this.#facts(this.#form.periodType));
  }

  #takeLine(line: string): void {
    const [, key, content] = /^\s*([a-z][a-z /]*?)\s*=\s*(.*)$/i.exec(line) ?? [];
    if (key !== undefined && !line.includes("@")) return void this.#attributes.set(key.toLowerCase(), content ?? "");
    const [, values, addresses] = /^\s*([-\d:[\] ]+?)\s*@(.*)$/.exec(line) ?? [];
    if (values !== undefined) return this.#takeSample(values, addresses ?? "");
    // Go tells names in comments below the samples.
    const named = namedPlace(line.replace(/^#/, ""));
    if (named !== null) this.#stacks.name(named[0], goPlace(named[1].function) ?? named[1]);
  }

  #takeSample(values: string, addresses: string): void {
    const numbers = [...values.matchAll(/-?\d{1,18}/g)].map(([text]) => Number(text));
    const sample = this.#form.valuesOf(numbers, this.#attributes);
    if (sample === null)
      throw new Failure("bad-stack-profile", {
        file: this.#file,
        format: "pprof's old forms",
        reason: `'${values.slice(0, 40)}' is no sample`,
      });
    this.#stacks.add(addressesIn(addresses), sample.values, sample.labels);
  }

  #facts(periodType: ValueType | undefined): StackFacts {
    const value = this.#form.period(this.#attributes);
    return periodType === undefined || value <= 0 ? {} : { period: { type: periodType, value } };
  }
}

/** `runtime.gopark+0x104	/go/src/runtime/proc.go:425`: the name, the offset, the place. */
function goPlace(text: string): { function: string; source: string; line: number } | null {
  const [, name, source, line] = /^(\S+?)\+0x[0-9a-f]+\s+(\S.*):(\d{1,9})$/.exec(text) ?? [];
  return name === undefined ? null : { function: name, source: source ?? "", line: Number(line) };
}

/**
 * Reads a list of threads with the stack of each; a thread that is where the one before is says so. Fails with
 * `no-stacks`.
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
      const named = namedPlace(line.replace(/^\s*PC:/, "").replace(/^(\s*0x[0-9a-f]+):/i, "$1"));
      if (named !== null && !named[1].function.startsWith("0x")) stacks.name(...named);
    }
  }
  finish();
  if (stacks.isEmpty) throw new Failure("no-stacks", { file, what: "pprof's old forms" });
  return stacks.finished(0, {});
}

/** More calls than any profiler keeps. */
const deepest = 1 << 14;

/** The numbers of a binary profile: of 4 or 8 bytes, either end first. */
interface LegacyWords {
  readonly size: 4 | 8;
  readonly isLittle: boolean;
  readonly isJava: boolean;
  /** Microseconds. */
  readonly period: number;
}

/**
 * How the numbers of a CPU profile are written, as its header tells: 0, 3, a version (0, or 1 of Java), the period, 0;
 * null: it is none.
 */
function legacyCpuWords(head: Uint8Array): LegacyWords | null {
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

/**
 * Reads records of count, depth and addresses until the one that ends them, then names (Java) or the memory map as
 * text.
 */
function readLegacyCpu(form: LegacyWords, bytes: Uint8Array, file: string): StackProfile {
  const stacks = new LegacyStacks([
    { name: "samples", unit: "count" },
    { name: "cpu", unit: "nanoseconds" },
  ]);
  const rest = readRecords(form, bytes, stacks, file);
  for (const line of new TextDecoder().decode(bytes.subarray(rest)).split("\n")) {
    const named = form.isJava ? namedPlace(line) : null;
    if (named !== null) stacks.name(...named);
    else stacks.takeMapping(line);
  }
  const period = { type: { name: "cpu", unit: "nanoseconds" }, value: form.period * 1000 };
  return stacks.finished(1, { period });
}

/** Answers where the text begins. */
function readRecords(form: LegacyWords, bytes: Uint8Array, stacks: LegacyStacks, file: string): number {
  const word = wordReader(bytes, form);
  const count = Math.floor(bytes.length / form.size);
  const bad = (reason: string): Failure =>
    new Failure("bad-stack-profile", { file, format: "pprof's old CPU profiles", reason });
  for (let at = 5; at + 2 <= count;) {
    const [samples, depth] = [Number(word(at)), Number(word(at + 1))];
    if (depth > deepest || at + 2 + depth > count) throw bad("it ends within a sample, or a sample is no sample");
    const addresses = Array.from({ length: depth }, (_, call) => word(at + 2 + call));
    at += 2 + depth;
    if (samples === 0 && depth === 1 && addresses[0] === 0n) return at * form.size;
    if (depth === 0 || samples > Number.MAX_SAFE_INTEGER) throw bad("a sample makes no sense");
    stacks.add(addresses, [samples, samples * form.period * 1000]);
  }
  throw bad("its samples have no end");
}

function wordReader(
  bytes: Uint8Array,
  { size, isLittle }: { readonly size: 4 | 8; readonly isLittle: boolean },
): (at: number) => bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 4) return (at) => BigInt(view.getUint32(at * 4, isLittle));
  return (at) => view.getBigUint64(at * 8, isLittle);
}

/** First lines of text profiles: of heaps, of what waits for locks, of threads, of what Go counts by stack. */
const firstLines =
  /^(?:heap profile: *\d+: *\d+ *\[ *\d+: *\d+ *\] *@|--- (?:contentionz|heapz|threadz) \d+ ---|--- (?:mutex|contention):|--- Thread [0-9a-f]+ \(name: |\S+ profile: total \d+\s*$)/m;

/**
 * Reads the profiles that were in use before pprof's own format: heap, growth, contention and thread profiles of
 * gperftools and Go as text, those of Java, and CPU profiles in binary. Layout: gperftools' documentation of
 * cpuprofile, and legacy_profile.go of github.com/google/pprof. Frames are addresses unless the text names them.
 * Sampled heaps are scaled to what they stand for, as pprof does. Fails with `bad-stack-profile`, `no-stacks`.
 */
export function readPprofLegacy(bytes: Uint8Array, file: string): StackProfile {
  const words = legacyCpuWords(bytes);
  if (words !== null) return readLegacyCpu(words, bytes, file);
  const text = new TextDecoder().decode(bytes);
  if (!firstLines.test(text.slice(0, 4096))) throw new Failure("no-stacks", { file, what: "pprof's old forms" });
  return readLegacyText(text, file);
}

/** True of the first bytes of such a profile. */
export function isPprofLegacy(head: Uint8Array): boolean {
  if (legacyCpuWords(head) !== null) return true;
  const text = new TextDecoder().decode(head.subarray(0, 1024)).replace(/^(?:\s*#.*\n|\s*\n)*/, "");
  return text.search(firstLines) === 0;
}
