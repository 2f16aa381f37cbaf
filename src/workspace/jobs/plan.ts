import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Setting, Settings } from "../../core/values/setting.ts";
import type { Values } from "../../core/values/value.ts";
import type { Collector } from "../../plugins/collectors/collector.ts";
import type { Postprocessor } from "../../plugins/postprocessors/postprocessor.ts";
import { optionsOf } from "../plugins/plugin-options.ts";
import { postprocessorOptions } from "../plugins/postprocessor-options.ts";
import type { Registry } from "../plugins/registry.ts";
import { findGenerator, planGenerator, type PlannedGenerator } from "./generators.ts";

/** One thing to measure: a command with a workload, by a collector, and what is then made of the profile. */
export interface PlannedJob {
  readonly cmd: string;
  /** Words for the command; where a generator makes them, its id. */
  readonly workload: string;
  readonly generator: PlannedGenerator | null;
  readonly collector: Collector;
  readonly params: Values;
  readonly steps: readonly PlannedStep[];
}

/** A postprocessor of a chain. */
export interface PlannedStep {
  readonly unit: Postprocessor;
  readonly options: Values;
}

/** Which measurement follows which, when several versions are measured. */
export const runOrders = ["sequential", "interleaved", "alternating", "random"] as const;

export type RunOrder = (typeof runOrders)[number];

/** How measurements are repeated and kept apart from the rest of the machine. */
export interface RunSettings {
  readonly order: RunOrder;
  /** Begins the random order. */
  readonly seed: number;
  /**
   * Into how many rounds the repetitions of a job are split; null: one, or one for each repetition where the order is
   * not sequential.
   */
  readonly rounds: number | null;
  /** Runs that do not count before a job; null: what the options of the collector say. */
  readonly warmup: number | null;
  /** Processors that programs may use, as taskset writes them; null: all. */
  readonly processors: string | null;
  /** Two versions whose rounds are pairs: profiles name both, and their column `order` is the number of the pair. */
  readonly pair?: PairedVersions;
}

export interface PairedVersions {
  readonly base: VersionId;
  readonly head: VersionId;
  /** Unix milliseconds: tells this run from others of the same versions. */
  readonly begun: number;
}

export interface JobPlan extends RunSettings {
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
  /** Leave out what a run with the same plan had finished before it was killed, interrupted or failed in parts. */
  readonly resume: boolean;
}

/** A plug-in by its name with the options given for it. */
export interface RequestedPlugin {
  readonly name: string;
  readonly params: Settings;
}

export interface MatrixAxes {
  readonly cmds: readonly string[];
  /** Empty: one run without a workload. One that is the id of a generator stands for what that makes. */
  readonly workloads: readonly string[];
  readonly collectors: readonly RequestedPlugin[];
  /** Applied to each profile, in this order. */
  readonly postprocessors: readonly RequestedPlugin[];
  /** Entries of `generators.workload`; of several with one id the first counts. */
  readonly generators: readonly Setting[];
}

/**
 * Every command with every workload by every collector, nested in this order. Fails with `nothing-to-run`,
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
): Promise<Pick<PlannedJob, "collector" | "params">> {
  const collector = await registry.get("collector", name);
  return { collector, params: optionsOf(collector, params) };
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
