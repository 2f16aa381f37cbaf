import { readPerfHeader } from "../../formats/perf-header.ts";
import { readPerfStacks } from "../../formats/perf-stacks.ts";
import { stackReader, type Reader } from "./reader.ts";

export const perfScript: Reader = stackReader("perf-script", "samples as perf script prints them", sniff, readPerfStacks);

/** A header of a sample with a frame below it; or nothing but headers, where no stacks were recorded. */
function sniff(head: Uint8Array): number {
  const lines = new TextDecoder().decode(head.subarray(0, 16 << 10)).split("\n", 200);
  const told = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const headers = told.map(isHeader);
  const at = headers.indexOf(true);
  if (at < 0) return 0;
  if (/^\s+[0-9a-f]{1,16}\s+\S/.test(told[at + 1] ?? "")) return 0.9;
  // The last line may be cut off.
  return headers.slice(0, Math.max(1, headers.length - 1)).every((isOne) => isOne) ? 0.6 : 0;
}

/** With a time: text of other programs has numbers, too. */
function isHeader(line: string): boolean {
  return line.length < 2000 && !/^[#\t]/.test(line) && (readPerfHeader(line)?.seconds ?? null) !== null;
}
