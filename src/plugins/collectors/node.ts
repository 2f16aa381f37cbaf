import type { Variable } from "../../core/variables/index.ts";
import { type Collector, collectorOption as option, countOf } from "./collector.ts";
import { nodeRunOptions, measureNode, requireNode } from "./node-measure.ts";
import { cpuSource } from "./node-rows.ts";

/** V8's default, in microseconds. */
const interval = 1000;

const options: readonly Variable[] = [
  option("interval", "integer", interval, "microseconds between samples"),
  option(
    "inclusive",
    "boolean",
    false,
    "add rows for stacks without samples of their own, and a column with the time including callees",
  ),
  option("idle", "boolean", false, "include the time in which the thread is idle"),
  ...nodeRunOptions,
];

/**
 * V8 CPU profiles of each thread of a Node.js program and its child processes: one row per distinct stack and
 * repetition with its self time in microseconds.
 */
export const node: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "node",
  aliases: ["node-cpu"],
  synopsis: "CPU time of a Node.js program by stack, from V8 CPU profiles",
  options,
  profileType: "time",
  prepare: requireNode,

  async collect(job, shell, progress = () => {}) {
    const { params } = job;
    const source = cpuSource({ inclusive: params.get("inclusive") === true, idle: params.get("idle") === true });
    return measureNode(
      { name: "node", source, interval: countOf("node", params, "interval", interval, 50, 1_000_000) },
      job,
      shell,
      progress,
    );
  },
});
