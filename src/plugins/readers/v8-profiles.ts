import { jsonOutline } from "../../formats/json/index.ts";
import { cpuProfileStacks, heapProfileStacks } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const cpuprofile: Reader = stackReader("cpuprofile", "CPU profiles of V8", sniff, cpuProfileStacks);

function sniff(head: Uint8Array): number {
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
