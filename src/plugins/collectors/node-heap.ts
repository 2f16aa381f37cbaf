import type { Variable } from "../../core/variables/index.ts";
import { type Collector, collectorOption as option, countOf } from "./collector.ts";
import { nodeRunOptions, measureNode, requireNode } from "./node-measure.ts";
import { heapSource } from "./node-rows.ts";

/** Default of the browser's developer tools, in bytes. */
const interval = 32_768;

const options: readonly Variable[] = [
  option("interval", "integer", interval, "average bytes allocated between samples"),
  option(
    "inclusive",
    "boolean",
    false,
    "add rows for stacks without samples of their own, and a column with the bytes including callees",
  ),
  ...nodeRunOptions,
];

/**
 * V8 sampling heap profiles of each thread of a Node.js program and its child processes: one row per distinct stack and
 * repetition with V8's estimate of the bytes it allocated that are still in use at the end.
 */
export const nodeHeap: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "node-heap",
  synopsis: "memory still in use at the end of a Node.js program by stack, from V8 heap profiles",
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
