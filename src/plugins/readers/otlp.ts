import { readAllBytes } from "../../formats/bytes/index.ts";
import { jsonOutline } from "../../formats/json/index.ts";
import { isOtlp, readOtlp } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const otlp: Reader = stackReader(
  "otlp",
  "OpenTelemetry profiles, as Protocol Buffers or JSON",
  (head) => (isOtlp(head) || jsonOutline(head).has("resourceProfiles") ? 0.95 : 0),
  async (source, file) => readOtlp(await readAllBytes(source, file), file),
);
