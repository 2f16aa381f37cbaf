import { readAllBytes } from "../../formats/bytes/index.ts";
import { isPerfData, readPerfData, stackRun } from "../../formats/stacks/index.ts";
import type { Reader } from "./reader.ts";

/** Uses function names from files of this machine, if the guide has access to them. */
const stacks: Reader["stacks"] = async (source, _, { path, local }) =>
  readPerfData(await readAllBytes(source, path), path, local);

export const perfData: Reader = Object.freeze<Reader>({
  kind: "reader",
  name: "perf-data",
  synopsis: "recordings of perf record",
  options: [],
  sniff: (head) => (isPerfData(head) ? 0.95 : 0),
  stacks,
  read: async (source, options, guide) => stackRun(await stacks(source, options, guide), "perf-data", guide.directory),
});
