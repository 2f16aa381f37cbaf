import { isFailure } from "../../core/failures/index.ts";
import { inOnePiece, readAllBytes } from "../../formats/bytes/index.ts";
import { isPerfData, readPerfData, readPerfHeader, readPerfStacks, stackRun } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const perfScript: Reader = stackReader(
  "perf-script",
  "samples as perf script prints them",
  sniff,
  readPerfStacks,
);

/** A sample header followed by a frame, or only headers with times, if no stacks were recorded. */
function sniff(head: Uint8Array): number {
  const lines = new TextDecoder().decode(head.subarray(0, 16 << 10)).split("\n", 200);
  const dataLines = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const headers = dataLines.map((line) => (line.length < 2000 && !line.startsWith("\t") ? readPerfHeader(line) : null));
  const isFrame = (line: string | undefined): boolean =>
    line !== undefined && /^\s+[0-9a-f]{1,16}\s+\S.*\)\s*$/.test(line.slice(0, 2000));
  if (headers.some((header, at) => header !== null && isFrame(dataLines[at + 1]))) return 0.9;
  // The last line may be truncated.
  const whole = headers.slice(0, Math.max(1, headers.length - 1));
  return whole.length > 0 && whole.every((header) => (header?.seconds ?? null) !== null) ? 0.6 : 0;
}

/** Names of C++ (Itanium ABI) and Rust functions as the linker has them. */
const mangled = /^_{1,2}(?:Z|R)[\w.$@]{2,10000}$/;

/**
 * Uses function names from files of this machine, c++filt for readable names, and perf for recordings that only it can
 * read, if the guide has access to them.
 */
const stacks: Reader["stacks"] = async (source, _, { path, local, tools }) => {
  const bytes = await readAllBytes(source, path);
  const names = new Set<string>();
  try {
    const profile = readPerfData(bytes, path, local, (symbol) => {
      if (mangled.test(symbol)) names.add(symbol);
      return symbol;
    });
    const readable = names.size === 0 ? undefined : await tools?.demangle([...names]);
    if (readable === undefined || readable.size === 0) return profile;
    return readPerfData(bytes, path, local, (symbol) => readable.get(symbol) ?? symbol);
  } catch (error) {
    if (!isFailure(error, "needs-perf-script")) throw error;
    const printed = await tools?.perfScript(String(error.data["reason"]));
    if (printed === undefined || printed === null) throw error;
    return readPerfStacks(inOnePiece(printed), path);
  }
};

export const perfData: Reader = Object.freeze<Reader>({
  kind: "reader",
  name: "perf-data",
  synopsis: "recordings of perf record",
  options: [],
  sniff: (head) => (isPerfData(head) ? 0.95 : 0),
  stacks,
  read: async (source, options, guide) => stackRun(await stacks(source, options, guide), "perf-data", guide.directory),
});
