import { readAllBytes } from "../../formats/bytes/index.ts";
import { jsonOutline } from "../../formats/json/index.ts";
import {
  isOtlp,
  isPprof,
  isPprofLegacy,
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
