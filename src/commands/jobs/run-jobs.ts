import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { settingAt, settingList } from "../../core/values/index.ts";
import type { Vcs } from "../../plugins/vcs/vcs.ts";
import type { Config, ConfirmCommands } from "../../workspace/config/index.ts";
import {
  type JobsResult,
  type JobWatcher,
  planJobs,
  type JobPlan,
  type MatrixAxes,
  type RunOrder,
  type RequestedPlugin,
  runPlan,
  findGenerator,
} from "../../workspace/jobs/index.ts";
import { selectProcessors } from "../../workspace/machine/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { versionsOf } from "../history/index.ts";
import { matrixOf } from "./job-matrix.ts";

/** Options common to all kinds of measuring. */
export interface RunOptions {
  /**
   * Revisions or ranges `a..b`, each measured in a clean worktree. Empty: the working tree; its profiles are marked if
   * it is dirty.
   */
  readonly versions: readonly string[];
  /** Also measure all ancestors. */
  readonly crawlParents: boolean;
  /** Follow only first parents in ranges and ancestors. */
  readonly firstParent?: boolean;
  /** Overrides `format.output_profile_template`. */
  readonly nameTemplate?: string;
  /** Overrides `profiles.register_after_run`. */
  readonly register?: boolean;
  /** Order of measurements; default: interleaved for the matrix in several commits, else sequential. */
  readonly order?: RunOrder;
  /** Seed of the random order; default: 1. */
  readonly seed?: number;
  /** Number of rounds to split the repetitions into. */
  readonly rounds?: number;
  /** Warmup runs; overrides the collector's option. */
  readonly warmup?: number;
  /** Measure the first two commits in pairs, and record that in the profiles. */
  readonly paired?: boolean;
  /** Called after each round of pairs; true: stop measuring. */
  readonly isEnough?: JobPlan["isEnough"];
  /** CPUs to pin programs to: `auto`, or a taskset list. */
  readonly pin?: string;
  /** Time a loop that never changes next to each measurement; overrides `execute.canary`. */
  readonly canary?: boolean;
  /** Commands to run in a tree before measuring; overrides `execute.pre_run`. */
  readonly preRun?: readonly string[];
  /** Resume the same run after it was killed, interrupted or failed. */
  readonly resume?: boolean;
  /** Confirms configured commands; null: non-interactive. */
  readonly confirm: ConfirmCommands;
}

export interface JobOptions extends RunOptions {
  readonly cmds: readonly string[];
  readonly workloads: readonly string[];
  readonly collectors: readonly RequestedPlugin[];
  readonly postprocessors?: readonly RequestedPlugin[];
}

/**
 * Measures the given commands in the current directory. Commands given as options need no trust; `execute.pre_run` and
 * generators of the local configuration do. Failures are in the result; other jobs continue.
 */
export async function runJob(workspace: Workspace, options: JobOptions, watcher: JobWatcher = {}): Promise<JobsResult> {
  const config = await workspace.config();
  const generators = config.gather("generators.workload");
  if (namesLocalCommands(config, options)) await workspace.trust().require(config, options.confirm);
  const axes = { ...options, postprocessors: options.postprocessors ?? [], generators };
  return run(workspace, { config, axes, directory: workspace.world.directory }, options, watcher);
}

/**
 * Measures cmds × workloads × collectors of the configuration in the project root and applies its postprocessors. Fails
 * with `not-trusted`, `nothing-to-run`.
 */
export async function runMatrix(
  workspace: Workspace,
  options: RunOptions,
  watcher: JobWatcher = {},
): Promise<JobsResult> {
  const config = await workspace.config();
  await workspace.trust().require(config, options.confirm);
  const axes = withDefaultCollector(matrixOf(config), watcher);
  return run(workspace, { config, axes, directory: workspace.root(), interleaves: true }, options, watcher);
}

/** Measures time if no collector is configured. */
function withDefaultCollector(axes: MatrixAxes, watcher: JobWatcher): MatrixAxes {
  if (axes.collectors.length > 0 || axes.cmds.length === 0) return axes;
  watcher.notice?.("measuring with the collector time, since the key collectors names none");
  return { ...axes, collectors: [{ name: "time", params: new Map() }] };
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
  /** Several commits are interleaved unless another order is requested. */
  readonly interleaves?: boolean;
}

/** Most commits to interleave by default: each has a work tree for the whole run. */
const mostInterleaved = 32;

/** The order of measurements, reported if it is not the requested or the only one. */
function orderOf({ interleaves }: Scope, { order }: RunOptions, commits: number, watcher: JobWatcher): RunOrder {
  if (order !== undefined || interleaves !== true || commits < 2) return order ?? "sequential";
  if (commits > mostInterleaved) {
    const cure = "--order interleaved keeps a work tree of each";
    watcher.notice?.(
      `${commits} commits are measured one after the other, so drift of the machine may differ: ${cure}`,
    );
    return "sequential";
  }
  watcher.notice?.(`${commits} commits are measured in interleaved rounds (--order sequential: one after the other)`);
  return "interleaved";
}

/** Of several commits that are measured round by round, but in no A/B run. */
function sessionOf(order: RunOrder, { paired }: RunOptions, commits: number, now: number): Pick<JobPlan, "sessionMs"> {
  return order === "sequential" || paired === true || commits < 2 ? {} : { sessionMs: Math.round(now) };
}

async function run(workspace: Workspace, scope: Scope, options: RunOptions, watcher: JobWatcher): Promise<JobsResult> {
  const { config, axes, directory } = scope;
  const inTree = options.versions.length === 0 && !options.crawlParents;
  requireRange(options);
  await requireHistory(await workspace.vcs(), inTree, options, watcher);
  const jobs = await planJobs(workspace.registry, axes);
  requireRepeats(jobs, options);
  const versions = inTree ? null : await versionsToMeasure(workspace, options);
  const [base, head] = versions ?? [];
  const order = orderOf(scope, options, versions?.length ?? 1, watcher);
  const plan: JobPlan = {
    jobs,
    versions,
    canary: options.canary ?? config.flag("execute.canary"),
    preRun: options.preRun ?? config.texts("execute.pre_run"),
    directory,
    nameTemplate: options.nameTemplate ?? config.text("format.output_profile_template"),
    exactNames: options.nameTemplate !== undefined,
    register: options.register ?? config.flag("profiles.register_after_run"),
    order,
    ...sessionOf(order, options, versions?.length ?? 1, workspace.world.now()),
    seed: options.seed ?? 1,
    rounds: options.rounds ?? null,
    warmup: options.warmup ?? null,
    processors: options.pin === undefined ? null : await selectProcessors(workspace.shell(), options.pin),
    resume: options.resume ?? false,
    ...(options.paired === true && base !== undefined && head !== undefined
      ? {
          pair: {
            base,
            head,
            startedMs: Math.round(workspace.world.now()),
            sequential: options.isEnough !== undefined,
          },
        }
      : {}),
    ...(options.isEnough === undefined ? {} : { isEnough: options.isEnough }),
  };
  return runPlan(workspace, plan, watcher);
}

/** Measuring the working tree requires one; missing ancestors cause a notice. */
async function requireHistory(
  vcs: Vcs,
  inTree: boolean,
  { crawlParents }: RunOptions,
  watcher: JobWatcher,
): Promise<void> {
  const treeless = inTree ? await vcs.limitation("tree") : null;
  if (treeless !== null)
    throw new Failure("unusable-combination", {
      what: `the repository has no working tree to measure: ${treeless}`,
      instead: "name a commit with -m",
    });
  const cut = crawlParents ? await vcs.limitation("history") : null;
  if (cut !== null) watcher.notice?.(`some ancestors are missing: ${cut}`);
}

/** Fails for collectors without `repeat` if there are several rounds. */
function requireRepeats(jobs: JobPlan["jobs"], { rounds = 1 }: RunOptions): void {
  const once = rounds > 1 ? jobs.find(({ params }) => !params.has("repeat")) : undefined;
  if (once === undefined) return;
  const { name } = once.collector;
  throw new Failure("unusable-combination", {
    what: `${rounds} rounds of ${name}, which measures once`,
    instead: "leave --rounds out",
  });
}

/** Fails with `unusable-combination` for an option that would have no effect. */
function requireRange({ versions, crawlParents, firstParent = false }: RunOptions): void {
  if (firstParent && !crawlParents && !versions.some((version) => version.includes("..")))
    throw new Failure("unusable-combination", {
      what: "--first-parent without a range of commits",
      instead: "add --minor OLDER..NEWER or --crawl-parents",
    });
}

async function versionsToMeasure(workspace: Workspace, options: RunOptions): Promise<VersionId[]> {
  const { versions, crawlParents, firstParent = false } = options;
  const vcs = await workspace.vcs();
  const heads = versions.length === 0 ? [await vcs.head()] : await versionsOf(workspace, versions, firstParent);
  if (heads.length === 0)
    throw new Failure("nothing-to-run", { what: `a commit in ${versions.join(" ")}`, instead: "write OLDER..NEWER" });
  if (!crawlParents) return [...new Set(heads)];
  const all = new Set<VersionId>();
  for (const head of heads) {
    // Walks yield children before their parents.
    let next: VersionId | undefined = head;
    for await (const { id, parents } of vcs.walk(head)) {
      if (firstParent && id !== next) continue;
      all.add(id);
      next = parents[0];
    }
  }
  return [...all];
}
