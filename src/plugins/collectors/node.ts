import type { Variable } from "../../core/variables/variable.ts";
import { type Collector, collectorOption as option, countOf } from "./collector.ts";
import { everydayOptions, measureNode, requireNode } from "./node-measure.ts";
import { cpuSource } from "./node-rows.ts";

/** V8's own default, in microseconds. */
const interval = 1000;

const options: readonly Variable[] = [
  option("interval", "integer", interval, "microseconds between samples"),
  option(
    "inclusive",
    "boolean",
    false,
    "also a row for each stack that only calls others, and for all stacks the time with those they call",
  ),
  option("idle", "boolean", false, "also the time in which the thread waits"),
  ...everydayOptions,
];

/**
 * Profiles of V8 for each thread of a Node.js program and of what it starts: a row for each different stack and
 * repetition with the microseconds in which it was what ran.
 */
export const node: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "node",
  aliases: ["node-cpu"],
  synopsis: "where a Node.js program spends its time, by V8's CPU profiles",
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
