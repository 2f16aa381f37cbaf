import type { Variable } from "../../core/variables/variable.ts";
import { type Collector, collectorOption as option, countOf } from "./collector.ts";
import { everydayOptions, measureNode, requireNode } from "./node-measure.ts";
import { heapSource } from "./node-rows.ts";

/** As the browser's developer tools have it, in bytes. */
const interval = 32_768;

const options: readonly Variable[] = [
  option("interval", "integer", interval, "bytes that are allocated between samples, on average"),
  option(
    "inclusive",
    "boolean",
    false,
    "also a row for each stack that only calls others, and for all stacks the bytes with those they call",
  ),
  ...everydayOptions,
];

/**
 * Sampling heap profiles of V8 for each thread of a Node.js program and of what it starts: a row for each different
 * stack and repetition with the bytes that it allocated and that were still in use at the end, as V8 estimates them.
 */
export const nodeHeap: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "node-heap",
  synopsis: "who holds the memory of a Node.js program at its end, by V8's heap profiles",
  options,
  profileType: "memory",
  prepare: requireNode,

  async collect(job, shell, progress = () => {}) {
    const source = heapSource({ inclusive: job.params.get("inclusive") === true });
    const plan = {
      name: "node-heap",
      source,
      interval: countOf("node-heap", job.params, "interval", interval, 1024, 1 << 30),
    };
    return measureNode(plan, job, shell, progress);
  },
});
