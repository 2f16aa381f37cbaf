import { readPprofLegacy, isPprofLegacy } from "../../formats/stacks/index.ts";
import { readAllBytes } from "../../formats/bytes/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const pprofLegacy: Reader = stackReader(
  "pprof-legacy",
  "legacy profiles of gperftools, Go and Java",
  (head) => (isPprofLegacy(head) ? 0.95 : 0),
  async (source, file) => readPprofLegacy(await readAllBytes(source, file, 256 << 20), file),
);
