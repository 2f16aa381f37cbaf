import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { settingAt, settingList } from "../../core/values/setting.ts";
import type { Vcs } from "../../plugins/vcs/vcs.ts";
import type { Config } from "../../workspace/config/config.ts";
import type { JobsResult, JobWatcher } from "../../workspace/jobs/ledger.ts";
import {
  planJobs,
  type JobPlan,
  type MatrixAxes,
  type RunOrder,
  type RequestedPlugin,
} from "../../workspace/jobs/plan.ts";
import { runPlan } from "../../workspace/jobs/runner.ts";
import { selectProcessors } from "../../workspace/machine/cpu-pinning.ts";
import type { ConfirmCommands } from "../../workspace/config/trust.ts";
import { findGenerator } from "../../workspace/jobs/generators.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { versionsOf } from "../history/history.ts";
import { matrixOf } from "./job-matrix.ts";

/** What all ways of measuring have in common. */
export interface RunOptions {
  /**
   * Revisions, and ranges `a..b` of them, to measure each in a clean tree of its own. Empty: the user's tree as it is,
   * which the profile tells when it is dirty.
   */
  readonly versions: readonly string[];
  /** Measure all ancestors of these versions as well. */
  readonly crawlParents: boolean;
  /** Instead of `format.output_profile_template`. */
  readonly nameTemplate?: string;
  /** Instead of `profiles.register_after_run`. */
  readonly register?: boolean;
  /** Which measurement follows which; one job after the other without it. */
  readonly order?: RunOrder;
  /** Begins the random order; 1 without it. */
  readonly seed?: number;
  /** Into how many rounds the repetitions of a job are split. */
  readonly rounds?: number;
  /** Runs that do not count, instead of the collector's option. */
  readonly warmup?: number;
  /** The first and the second version are measured in pairs, which their profiles tell. */
  readonly paired?: boolean;
  /** Processors that programs are kept on: `auto`, or as taskset writes them. */
  readonly pin?: string;
  /** Commands to run in a tree before anything of it is measured, instead of `execute.pre_run`. */
  readonly preRun?: readonly string[];
  /** Go on with the same run where it was killed, interrupted or failed. */
  readonly resume?: boolean;
  /** Asks whether commands of the configuration may run; null where nobody can be asked. */
  readonly confirm: ConfirmCommands;
}

export interface JobOptions extends RunOptions {
  readonly cmds: readonly string[];
  readonly workloads: readonly string[];
  readonly collectors: readonly RequestedPlugin[];
  readonly postprocessors?: readonly RequestedPlugin[];
}

/**
 * Measures what the options name, where the user stands. The command line needs no trust, but `execute.pre_run` and
 * generators of the local configuration do. What fails is in the result, and everything else was kept.
 */
export async function runJob(workspace: Workspace, options: JobOptions, watcher: JobWatcher = {}): Promise<JobsResult> {
  const config = await workspace.config();
  const generators = config.gather("generators.workload");
  if (namesLocalCommands(config, options)) await workspace.trust().require(config, options.confirm);
  const axes = { ...options, postprocessors: options.postprocessors ?? [], generators };
  return run(workspace, { config, axes, directory: workspace.world.directory }, options, watcher);
}

/**
 * Measures cmds × workloads × collectors of the configuration in the root of the project and applies its
 * postprocessors. Fails with `not-trusted`, `nothing-to-run`.
 */
export async function runMatrix(
  workspace: Workspace,
  options: RunOptions,
  watcher: JobWatcher = {},
): Promise<JobsResult> {
  const config = await workspace.config();
  await workspace.trust().require(config, options.confirm);
  return run(workspace, { config, axes: matrixOf(config), directory: workspace.root() }, options, watcher);
}

function namesLocalCommands(config: Config, { workloads, preRun }: Pick<JobOptions, "workloads" | "preRun">): boolean {
  if (preRun === undefined && config.find("execute.pre_run")?.layer.name === "local") return true;
  const local = settingList(settingAt(config.layers.find(({ name }) => name === "local")?.root, "generators.workload"));
  return workloads.some((workload) => findGenerator(local, workload) !== undefined);
}

interface Scope {
  readonly config: Config;
  readonly axes: MatrixAxes;
  readonly directory: string;
}

async function run(
  workspace: Workspace,
  { config, axes, directory }: Scope,
  options: RunOptions,
  watcher: JobWatcher,
): Promise<JobsResult> {
  const inTree = options.versions.length === 0 && !options.crawlParents;
  await requireHistory(await workspace.vcs(), inTree, options, watcher);
  const jobs = await planJobs(workspace.registry, axes);
  requireRounds(jobs, options);
  const versions = inTree ? null : await versionsToMeasure(workspace, options);
  const [base, head] = versions ?? [];
  const plan: JobPlan = {
    jobs,
    versions,
    preRun: options.preRun ?? config.texts("execute.pre_run"),
    directory,
    nameTemplate: options.nameTemplate ?? config.text("format.output_profile_template"),
    register: options.register ?? config.flag("profiles.register_after_run"),
    order: options.order ?? "sequential",
    seed: options.seed ?? 1,
    rounds: options.rounds ?? null,
    warmup: options.warmup ?? null,
    processors: options.pin === undefined ? null : await selectProcessors(workspace.shell(), options.pin),
    resume: options.resume ?? false,
    ...(options.paired === true && base !== undefined && head !== undefined
      ? { pair: { base, head, begun: Math.round(workspace.world.now()) } }
      : {}),
  };
  return runPlan(workspace, plan, watcher);
}

/** Measuring the tree needs one; that some ancestors are not there is worth telling. */
async function requireHistory(
  vcs: Vcs,
  inTree: boolean,
  { crawlParents }: RunOptions,
  watcher: JobWatcher,
): Promise<void> {
  const treeless = inTree ? await vcs.limitation("tree") : null;
  if (treeless !== null)
    throw new Failure("unusable-combination", {
      what: `the repository cannot be measured as it is: ${treeless}`,
      instead: "name a version with -m",
    });
  const cut = crawlParents ? await vcs.limitation("history") : null;
  if (cut !== null) watcher.notice?.(`not all ancestors are there: ${cut}`);
}

/** What is measured once has nothing to spread over rounds. */
function requireRounds(jobs: JobPlan["jobs"], { rounds = 1 }: RunOptions): void {
  const once = rounds > 1 ? jobs.find(({ params }) => !params.has("repeat")) : undefined;
  if (once === undefined) return;
  const { name } = once.collector;
  throw new Failure("unusable-combination", {
    what: `${rounds} rounds of ${name}, which measures once`,
    instead: "leave --rounds out",
  });
}

async function versionsToMeasure(workspace: Workspace, { versions, crawlParents }: RunOptions): Promise<VersionId[]> {
  const vcs = await workspace.vcs();
  const heads = versions.length === 0 ? [await vcs.head()] : await versionsOf(workspace, versions);
  if (heads.length === 0)
    throw new Failure("nothing-to-run", { what: `a version in ${versions.join(" ")}`, instead: "write OLDER..NEWER" });
  if (!crawlParents) return [...new Set(heads)];
  const all = new Set<VersionId>();
  for (const head of heads) for await (const { id } of vcs.walk(head)) all.add(id);
  return [...all];
}
