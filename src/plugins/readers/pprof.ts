import { isPprof, isPprofLegacy, readPprof, readPprofLegacy } from "../../formats/stacks/index.ts";
import { readAllBytes } from "../../formats/bytes/index.ts";
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
