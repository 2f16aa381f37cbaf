import { readGecko } from "../../formats/stacks/index.ts";
import { jsonOutline } from "../../formats/json/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const gecko: Reader = stackReader("gecko", "profiles of Firefox", sniff, readGecko);

/** Markers of the browser, or of its developer tools around it; the tables come late in the file. */
function sniff(head: Uint8Array): number {
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
