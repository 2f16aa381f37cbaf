import type { VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import type { Settings } from "../core/setting.ts";
import type { Values } from "../core/value.ts";
import type { Collector } from "../plugins/collectors/collector.ts";
import { optionsOf } from "./plugin-options.ts";
import type { Registry } from "./registry.ts";

/** One thing to measure: a command with a workload, by a collector. */
export interface PlannedJob {
  readonly cmd: string;
  readonly workload: string;
  readonly collector: Collector;
  readonly params: Values;
}

export interface JobPlan {
  readonly jobs: readonly PlannedJob[];
  /** Each is measured in a clean tree of its own; null: the user's tree is measured as it is. */
  readonly versions: readonly VersionId[] | null;
  /** Commands to run in a tree before anything of it is measured; ` | ` pipes. */
  readonly preRun: readonly string[];
  /** Where commands run: a directory of the user's tree, and the same one in trees of other versions. */
  readonly directory: string;
  readonly nameTemplate: string;
  /** Register profiles at once instead of leaving them pending. */
  readonly register: boolean;
}

/** A collector by its name with the options given for it. */
export interface WantedCollector {
  readonly name: string;
  readonly params: Settings;
}

export interface MatrixAxes {
  readonly cmds: readonly string[];
  /** Empty: one run without a workload. */
  readonly workloads: readonly string[];
  readonly collectors: readonly WantedCollector[];
}

/** Every command with every workload by every collector, nested in this order. Fails with `nothing-to-run`, `unknown-plugin` and bad options. */
export async function planJobs(registry: Registry, axes: MatrixAxes): Promise<PlannedJob[]> {
  if (axes.cmds.length === 0)
    throw new Failure("nothing-to-run", {
      what: "a command to measure",
      instead: "give --cmd, or name some: perfkeep config set cmds COMMAND",
    });
  if (axes.collectors.length === 0) {
    throw new Failure("nothing-to-run", {
      what: "a collector",
      instead: "give --collector, or name some: perfkeep config set collectors '[{name: time}]'",
    });
  }
  const collectors = await Promise.all(axes.collectors.map((wanted) => chosen(registry, wanted)));
  const workloads = axes.workloads.length > 0 ? axes.workloads : [""];
  return axes.cmds.flatMap((cmd) => workloads.flatMap((workload) => collectors.map((by) => ({ cmd, workload, ...by }))));
}

async function chosen(registry: Registry, { name, params }: WantedCollector): Promise<{ collector: Collector; params: Values }> {
  const collector = await registry.get("collector", name);
  return { collector, params: optionsOf(collector, params) };
}
