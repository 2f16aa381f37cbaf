import { jsonOutline } from "../../formats/json/index.ts";
import { readSpeedscope } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const speedscope: Reader = stackReader("speedscope", "documents of speedscope", sniff, readSpeedscope);

function sniff(head: Uint8Array): number {
  const has = (path: string): boolean => outline.has(path);
  const outline = jsonOutline(head);
  const isProfile = has("profiles[].type") || has("profiles[].events") || has("profiles[].samples");
  if (has("shared.frames") && (has("profiles") || has("$schema"))) return 0.95;
  return isProfile && has("profiles[].unit") ? 0.9 : 0;
}
