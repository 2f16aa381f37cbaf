import { readPerfHeader } from "../../formats/perf-header.ts";
import { readPerfStacks } from "../../formats/perf-stacks.ts";
import { stackReader, type Reader } from "./reader.ts";

export const perfScript: Reader = stackReader("perf-script", "samples as perf script prints them", sniff, readPerfStacks);

/** A header of a sample, of what no other format's lines look like, and perhaps a frame below it. */
function sniff(head: Uint8Array): number {
  const lines = new TextDecoder().decode(head.subarray(0, 16 << 10)).split("\n", 200);
  const isHeader = (line: string): boolean => line.length < 2000 && !/^[#\t]/.test(line) && readPerfHeader(line) !== null;
  const at = lines.findIndex(isHeader);
  if (at < 0) return 0;
  const isFrame = /^\s+[0-9a-f]{1,16}\s+\S/.test(lines[at + 1] ?? "");
  const before = lines.slice(0, at).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return isFrame ? 0.9 : before.length > 0 ? 0 : 0.6;
}
