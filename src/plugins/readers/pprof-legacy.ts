import { readPprofLegacy } from "../../formats/stacks/pprof/pprof-legacy.ts";
import { isPprofLegacy } from "../../formats/stacks/pprof/pprof-legacy-forms.ts";
import { readAllBytes } from "../../formats/bytes/read-all.ts";
import { stackReader, type Reader } from "./reader.ts";

export const pprofLegacy: Reader = stackReader(
  "pprof-legacy",
  "legacy profiles of gperftools, Go and Java",
  (head) => (isPprofLegacy(head) ? 0.95 : 0),
  async (source, file) => readPprofLegacy(await readAllBytes(source, file, 256 << 20), file),
);
