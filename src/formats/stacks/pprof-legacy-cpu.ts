import { Failure } from "../../core/errors.ts";
import type { StackProfile } from "../../core/stack-profile.ts";
import { LegacyStacks, namedPlace } from "./legacy-stacks.ts";

/** More calls than any profiler keeps. */
const deepest = 1 << 14;

/** The numbers of a binary profile: of 4 or 8 bytes, either end first. */
export interface LegacyWords {
  readonly size: 4 | 8;
  readonly isLittle: boolean;
  readonly isJava: boolean;
  /** Microseconds. */
  readonly period: number;
}

/** How the numbers of a CPU profile are written, as its header tells: 0, 3, a version (0, or 1 of Java), the period, 0; null: it is none. */
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

/** Reads records of count, depth and addresses until the one that ends them, then names (Java) or the memory map as text. */
export function readLegacyCpu(form: LegacyWords, bytes: Uint8Array, file: string): StackProfile {
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
