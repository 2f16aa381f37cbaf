import { readAllBytes } from "../../formats/bytes/index.ts";
import { jsonOutline } from "../../formats/json/index.ts";
import { isPerfetto, readPerfetto, readTraceEvents } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const traceEvents: Reader = stackReader(
  "trace-events",
  "trace events of Chrome and many others",
  sniff,
  readTraceEvents,
);

function sniff(head: Uint8Array): number {
  const outline = jsonOutline(head);
  if (outline.has("traceEvents")) return 0.9;
  return outline.has("[].ph") && (outline.has("[].ts") || outline.has("[].pid")) ? 0.9 : 0;
}

export const perfetto: Reader = stackReader(
  "perfetto",
  "traces of Perfetto and Chrome as Protocol Buffers",
  (head) => (isPerfetto(head) ? 0.9 : 0),
  async (source, file) => readPerfetto(await readAllBytes(source, file), file),
);
