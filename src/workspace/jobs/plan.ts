import { collectorOf, type ListedProfile, type Run } from "../../core/profiles/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Setting, Settings, Values } from "../../core/values/index.ts";
import type { Collector } from "../../plugins/collectors/collector.ts";
import type { Postprocessor } from "../../plugins/postprocessors/postprocessor.ts";
import { optionsOf, postprocessorOptions, type Registry } from "../plugins/index.ts";
import { findGenerator, planGenerator, type PlannedGenerator } from "./generators.ts";

/** A command with a workload to measure by a collector, and the postprocessors to apply. */
export interface PlannedJob {
  readonly cmd: string;
  /** Arguments of the command; the id of the generator if generated. */
  readonly workload: string;
  readonly generator: PlannedGenerator | null;
  readonly collector: Collector;
  /** The name in profiles: that of the collector, or Perun's name for it, if it was asked for by that. */
  readonly collectorName: string;
  readonly params: Values;
  readonly steps: readonly PlannedStep[];
}

/** A postprocessor of the chain. */
export interface PlannedStep {
  readonly unit: Postprocessor;
  readonly options: Values;
}

/** Order of measurements of several versions. */
export const runOrders = ["sequential", "interleaved", "alternating", "random"] as const;

export type RunOrder = (typeof runOrders)[number];

/** How measurements are repeated and isolated from the rest of the machine. */
export interface RunSettings {
  readonly order: RunOrder;
  /** Seed of the random order. */
  readonly seed: number;
  /**
   * Number of rounds that the repetitions of a job are split into; null: one if the order is sequential, else one per
   * repetition.
   */
  readonly rounds: number | null;
  /** Warm-up runs before a job; null: as configured for the collector. */
  readonly warmup: number | null;
  /** Processors to pin programs to, in taskset's syntax; null: all. */
  readonly processors: string | null;
  /** Time a loop that never changes before and after each measurement. */
  readonly canary?: boolean;
  /** Start of a run that measures several versions round by round, in Unix milliseconds; profiles name it. */
  readonly sessionMs?: number;
  /** Two versions measured in pairs: profiles name both, and their column `order` is the number of the pair. */
  readonly pair?: PairedVersions;
}

export interface PairedVersions {
  readonly base: VersionId;
  readonly head: VersionId;
  /** Unix milliseconds; distinguishes runs of the same versions. */
  readonly startedMs: number;
  /** The number of pairs was not fixed in advance. */
  readonly sequential: boolean;
}

/** A task's measurements of one round, as a profile would have them. */
export interface MeasuredRound {
  readonly version: VersionId;
  readonly run: Run;
  readonly facts: Pick<ListedProfile, "type" | "collector" | "cmd" | "workload" | "postprocessors">;
}

export interface JobPlan extends RunSettings {
  readonly jobs: readonly PlannedJob[];
  /** Measured in a clean worktree each; null: the user's tree is measured as it is. */
  readonly versions: readonly VersionId[] | null;
  /** Commands to run in a tree before measuring; ` | ` pipes. */
  readonly preRun: readonly string[];
  /** Working directory in the user's tree; the same path is used in worktrees. */
  readonly directory: string;
  readonly nameTemplate: string;
  /** Names have a random suffix only if they are taken. */
  readonly exactNames: boolean;
  /** Register profiles instead of leaving them pending. */
  readonly register: boolean;
  /** Called after each round that all tasks have measured; true: the remaining rounds are not needed. */
  readonly isEnough?: (round: readonly MeasuredRound[]) => Promise<boolean>;
  /** Skip jobs that an interrupted or failed run of the same plan has finished. */
  readonly resume: boolean;
}

/** A plug-in name with its options. */
export interface RequestedPlugin {
  readonly name: string;
  readonly params: Settings;
}

export interface MatrixAxes {
  readonly cmds: readonly string[];
  /** Empty: one run without a workload. The id of a generator stands for all its workloads. */
  readonly workloads: readonly string[];
  readonly collectors: readonly RequestedPlugin[];
  /** Applied to each profile in this order. */
  readonly postprocessors: readonly RequestedPlugin[];
  /** Entries of `generators.workload`; the first of several with one id counts. */
  readonly generators: readonly Setting[];
}

/**
 * The cross product of commands, workloads and collectors, nested in this order. Fails with `nothing-to-run`,
 * `unknown-plugin` and bad options.
 */
export async function planJobs(registry: Registry, axes: MatrixAxes): Promise<PlannedJob[]> {
  requireAxes(axes);
  const collectors = await Promise.all(axes.collectors.map((wanted) => planCollector(registry, wanted)));
  const steps = await Promise.all(axes.postprocessors.map((wanted) => planStep(registry, wanted)));
  const workloads = await Promise.all(
    (axes.workloads.length > 0 ? axes.workloads : [""]).map((text) => planWorkload(registry, axes, text)),
  );
  return axes.cmds.flatMap((cmd) =>
    workloads.flatMap((workload) => collectors.map((by) => ({ cmd, ...workload, ...by, steps }))),
  );
}

function requireAxes({ cmds, collectors }: MatrixAxes): void {
  if (cmds.length === 0)
    throw new Failure("nothing-to-run", {
      what: "a command to measure",
      instead: "give --cmd, or name some: perfkeep config set cmds COMMAND",
    });
  if (collectors.length === 0)
    throw new Failure("nothing-to-run", {
      what: "a collector",
      instead: "give --collector, or name some: perfkeep config set collectors '[{name: time}]'",
    });
}

async function planCollector(
  registry: Registry,
  { name, params }: RequestedPlugin,
): Promise<Pick<PlannedJob, "collector" | "collectorName" | "params">> {
  const collector = await registry.get("collector", name);
  const isPeruns = collectorOf({ collector: name }) !== name;
  return { collector, collectorName: isPeruns ? name : collector.name, params: optionsOf(collector, params) };
}

async function planStep(registry: Registry, { name, params }: RequestedPlugin): Promise<PlannedStep> {
  const unit = await registry.get("postprocessor", name);
  return { unit, options: postprocessorOptions(unit, params) };
}

async function planWorkload(
  registry: Registry,
  { generators }: MatrixAxes,
  workload: string,
): Promise<Pick<PlannedJob, "workload" | "generator">> {
  const entry = findGenerator(generators, workload);
  return { workload, generator: entry === undefined ? null : await planGenerator(registry, workload, entry) };
}
