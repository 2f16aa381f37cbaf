import { jsonOutline } from "../../formats/json/index.ts";
import { heapProfileStacks } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const heapprofile: Reader = stackReader(
  "heapprofile",
  "sampled heaps of V8",
  (head) => {
    const outline = jsonOutline(head);
    return outline.has("head.callFrame") || (outline.has("head.selfSize") && outline.has("head.children")) ? 0.95 : 0;
  },
  heapProfileStacks,
);
