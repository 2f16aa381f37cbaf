// The overhead of collectors on the measured program. Each entry is a file under overhead/, which gets its own folder
// and returns rows for the table. Measurements whose tools are missing are skipped.
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
