import { jsonOutline } from "../../formats/json/index.ts";
import { readTraceEvents } from "../../formats/stacks/index.ts";
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
