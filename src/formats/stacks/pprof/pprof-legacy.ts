import { Failure } from "../../../core/failures/failure.ts";
import type { StackProfile } from "../../../core/profiles/stack-profile.ts";
import { LegacyStacks, namedPlace } from "./address-stacks.ts";
import { readLegacyText } from "./pprof-legacy-text.ts";

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
