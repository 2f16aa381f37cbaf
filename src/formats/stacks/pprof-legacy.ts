import { Failure } from "../../core/errors.ts";
import type { StackProfile } from "../../core/stack-profile.ts";
import { legacyCpuWords, readLegacyCpu } from "./pprof-legacy-cpu.ts";
import { readLegacyText } from "./pprof-legacy-text.ts";

/** First lines of text profiles: of heaps, of what waits for locks, of threads, of what Go counts by stack. */
const firstLines =
  /^(?:heap profile: *\d+: *\d+ *\[ *\d+: *\d+ *\] *@|--- (?:contentionz|heapz|threadz) \d+ ---|--- (?:mutex|contention):|--- Thread [0-9a-f]+ \(name: |\S+ profile: total \d+\s*$)/m;

/**
 * Reads the profiles that were in use before pprof's own format: heap, growth, contention and thread profiles of gperftools and Go as text, those of Java, and
 * CPU profiles in binary. Layout: gperftools' documentation of cpuprofile, and legacy_profile.go of github.com/google/pprof. Frames are addresses unless the
 * text names them. Sampled heaps are scaled to what they stand for, as pprof does. Fails with `bad-stack-profile`, `no-stacks`.
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
