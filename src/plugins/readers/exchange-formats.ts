import { readAllBytes } from "../../formats/bytes/index.ts";
import { jsonOutline } from "../../formats/json/index.ts";
import {
  foldedShare,
  isJfr,
  isOtlp,
  isPprof,
  isPprofLegacy,
  readFolded,
  readJfr,
  readOtlp,
  readPprof,
  readPprofLegacy,
  readSpeedscope,
} from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const pprof: Reader = stackReader(
  "pprof",
  "profiles of pprof: Go and many others",
  (head) => (isPprof(head) ? 0.9 : 0),
  async (source, file) => readPprof(await readAllBytes(source, file), file),
);

export const pprofLegacy: Reader = stackReader(
  "pprof-legacy",
  "legacy profiles of gperftools, Go and Java",
  (head) => (isPprofLegacy(head) ? 0.95 : 0),
  async (source, file) => readPprofLegacy(await readAllBytes(source, file, 256 << 20), file),
);

export const otlp: Reader = stackReader(
  "otlp",
  "OpenTelemetry profiles, as Protocol Buffers or JSON",
  (head) => (isOtlp(head) || jsonOutline(head).has("resourceProfiles") ? 0.95 : 0),
  async (source, file) => readOtlp(await readAllBytes(source, file), file),
);

export const speedscope: Reader = stackReader("speedscope", "documents of speedscope", sniffSpeedscope, readSpeedscope);

function sniffSpeedscope(head: Uint8Array): number {
  const has = (path: string): boolean => outline.has(path);
  const outline = jsonOutline(head);
  const isProfile = has("profiles[].type") || has("profiles[].events") || has("profiles[].samples");
  if (has("shared.frames") && (has("profiles") || has("$schema"))) return 0.95;
  return isProfile && has("profiles[].unit") ? 0.9 : 0;
}

export const jfr: Reader = stackReader(
  "jfr",
  "recordings of Java Flight Recorder and async-profiler",
  (head) => (isJfr(head) ? 0.95 : 0),
  async (source, file) => readJfr(await readAllBytes(source, file), file),
);

export const folded: Reader = stackReader(
  "folded",
  "folded stacks, one per line with a count",
  sniffFolded,
  readFolded,
);

/** Any lines that end in numbers could match: high confidence only with stacks of several calls. */
function sniffFolded(head: Uint8Array): number {
  const text = textOf(head);
  const share = foldedShare(text);
  if (share < 0.5 || text.includes("\0")) return 0;
  return /^\S[^;\n]*;.* -?\d+(?:\.\d+)?\r?$/m.test(text) ? 0.55 : share === 1 ? 0.2 : 0;
}

function textOf(head: Uint8Array): string {
  const [first, second] = head;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(head);
}
