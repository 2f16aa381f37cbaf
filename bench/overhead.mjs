// What collectors cost the program they measure. Each entry is a file under overhead/: it is given a folder of its own
// and gives rows for the table; what its tools are missing for, it leaves out.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { calling } from "./overhead/calls.mjs";
import { counting } from "./overhead/counting.mjs";
import { heapProfiling } from "./overhead/heap-profiling.mjs";
import { nodeProfiling } from "./overhead/node-profiling.mjs";
import { perfSampling } from "./overhead/perf-sampling.mjs";

const entries = {
  "heap-profiling": heapProfiling,
  "perf-sampling": perfSampling,
  counting,
  "node-profiling": nodeProfiling,
  calling,
};

/** Rows of all entries. */
export function overheads(scratch) {
  return Object.entries(entries).flatMap(([name, entry]) => {
    const folder = join(scratch, name);
    mkdirSync(folder, { recursive: true });
    return entry(folder);
  });
}
