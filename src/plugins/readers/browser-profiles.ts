import { readAllBytes } from "../../formats/bytes/index.ts";
import { jsonOutline } from "../../formats/json/index.ts";
import {
  cpuProfileStacks,
  heapProfileStacks,
  isPerfetto,
  readGecko,
  readPerfetto,
  readTraceEvents,
} from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const cpuprofile: Reader = stackReader("cpuprofile", "CPU profiles of V8", sniffCpuProfile, cpuProfileStacks);

function sniffCpuProfile(head: Uint8Array): number {
  const outline = jsonOutline(head);
  if (outline.has("nodes[].callFrame")) return 0.95;
  // Before the DevTools Protocol a tree of nodes stood below "head".
  if (outline.has("head.functionName") && !outline.has("head.selfSize")) return 0.9;
  return outline.has("samples") && outline.has("timeDeltas") && outline.has("startTime") ? 0.8 : 0;
}

export const heapprofile: Reader = stackReader(
  "heapprofile",
  "sampled heaps of V8",
  (head) => {
    const outline = jsonOutline(head);
    return outline.has("head.callFrame") || (outline.has("head.selfSize") && outline.has("head.children")) ? 0.95 : 0;
  },
  heapProfileStacks,
);

export const gecko: Reader = stackReader("gecko", "profiles of Firefox", sniffGecko, readGecko);

/** Markers of the browser, or of its developer tools around it; the tables come late in the file. */
function sniffGecko(head: Uint8Array): number {
  const outline = jsonOutline(head);
  const has = (...paths: readonly string[]): boolean =>
    paths.some((path) => outline.has(path) || outline.has(`profile.${path}`));
  if (
    has("meta.interval", "meta.preprocessedProfileVersion") &&
    has("libs", "threads", "meta.processType", "meta.product", "shared")
  )
    return 0.95;
  if (has("libs[].breakpadId", "libs[].debugName", "libs[].pdbName")) return 0.85;
  return has("threads[].samples") && has("threads[].stackTable", "threads[].frameTable") ? 0.9 : 0;
}

export const traceEvents: Reader = stackReader(
  "trace-events",
  "trace events of Chrome and many others",
  sniffTraceEvents,
  readTraceEvents,
);

function sniffTraceEvents(head: Uint8Array): number {
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
