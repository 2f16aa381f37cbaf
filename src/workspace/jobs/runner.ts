import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { VersionId } from "../../core/versions/index.ts";
import type { JsonObject } from "../../core/values/index.ts";
import type { Vcs, Worktree } from "../../plugins/vcs/vcs.ts";
import { openBatch } from "./batch.ts";
import { describeEnvironment, withTreeState, pinnedShell } from "../machine/index.ts";
import { JobLedger, type JobsResult, type JobWatcher } from "./ledger.ts";
import type { JobPlan } from "./plan.ts";
import { JobQueue, type RunContext } from "./queue.ts";
import { planKey, type Checkout } from "./task.ts";
import { StopRequest, runPaths, withVersion, withVersions, type RunPaths } from "../processes/index.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Runs a plan. Each finished profile is stored immediately, so neither a failing job nor an interrupt loses it.
 * Failures are listed and other jobs continue; only `interrupted` ends the run. Progress is stored until the run is
 * complete.
 */
export async function runPlan(workspace: Workspace, plan: JobPlan, watcher: JobWatcher = {}): Promise<JobsResult> {
  const vcs = await workspace.vcs();
  const folder = join(workspace.perun(), "run", "batches");
  const batch = openBatch(folder, planKey(plan), { resumes: plan.resume, now: workspace.world.now() });
  const stop = new StopRequest();
  let isComplete = false;
  try {
    const result = await new JobRunner(
      { workspace, plan, batch, stop, ...contextOf(workspace, plan, watcher) },
      vcs,
    ).run();
    isComplete = result.failed.length === 0;
    return result;
  } finally {
    stop.end();
    batch.end(isComplete);
  }
}

function contextOf(
  workspace: Workspace,
  plan: JobPlan,
  watcher: JobWatcher,
): Pick<RunContext, "shell" | "isResumable" | "ledger"> {
  const jobs = plan.jobs.length * (plan.versions?.length ?? 1);
  const isSplit =
    plan.order !== "sequential" || (plan.rounds ?? 1) > 1 || plan.jobs.some(({ generator }) => generator !== null);
  const shell = plan.processors === null ? workspace.shell() : pinnedShell(workspace.shell(), plan.processors);
  return { shell, isResumable: jobs > 1 || isSplit, ledger: new JobLedger(jobs, watcher) };
}

/** Creates the trees of a plan and measures in them. */
class JobRunner {
  readonly #context: RunContext;
  readonly #vcs: Vcs;
  readonly #queue: JobQueue;
  #environmentFacts: JsonObject | undefined;

  constructor(parts: RunContext, vcs: Vcs) {
    this.#context = parts;
    this.#vcs = vcs;
    this.#queue = new JobQueue(parts);
  }

  async run(): Promise<JobsResult> {
    const { plan, shell, ledger } = this.#context;
    const collectors = new Map(plan.jobs.map(({ params, collector }) => [params, collector]));
    for (const [params, collector] of collectors) await collector.prepare(shell, params);
    if (plan.versions === null) await this.#measureUserTree();
    else {
      const versions = plan.versions.filter((version) => !this.#queue.isFinished(version));
      if (plan.order === "sequential") for (const version of versions) await this.#measureVersion(version);
      else await this.#measureTogether(versions);
    }
    return ledger.result();
  }

  async #measureUserTree(): Promise<void> {
    const version = await this.#vcs.head();
    const difference = await this.#vcs.dirtyDigest();
    const machine = withTreeState(await this.#environment(), difference);
    await this.#queue.measure([{ version, directory: this.#context.plan.directory, machine, difference }]);
  }

  async #measureVersion(version: VersionId): Promise<void> {
    try {
      const checkout = async (tree: Worktree): Promise<Checkout> => this.#checkoutIn(version, tree);
      await withVersion(this.#paths(), this.#vcs, version, async (tree) => this.#queue.measure([await checkout(tree)]));
    } catch (error) {
      this.#fail(error, version);
    }
  }

  /** Creates the trees of all versions at once, to interleave their measurements. */
  async #measureTogether(versions: readonly VersionId[]): Promise<void> {
    const refuse = (version: VersionId, error: unknown): void => this.#fail(error, version);
    await withVersions(this.#paths(), this.#vcs, { versions, refuse }, async (trees) => {
      const checkouts: Checkout[] = [];
      for (const [version, tree] of trees) checkouts.push(await this.#checkoutIn(version, tree));
      await this.#queue.measure(checkouts);
    });
  }

  #fail(error: unknown, version: VersionId): void {
    const { ledger, plan } = this.#context;
    ledger.fail(error, version, null);
    ledger.advance(plan.jobs.length, version, null);
  }

  #paths(): RunPaths {
    const { workspace } = this.#context;
    return runPaths(workspace.perun(), workspace.world.environment);
  }

  async #checkoutIn(version: VersionId, tree: Worktree): Promise<Checkout> {
    for (const notice of tree.notices) this.#context.ledger.watcher.notice?.(notice);
    const machine = withTreeState(await this.#environment(), null);
    return { version, directory: join(tree.path, this.#directoryInTree()), machine, difference: null };
  }

  /** The plan's directory relative to the root of the tree; the root for a directory outside of it. */
  #directoryInTree(): string {
    const path = relative(realpathSync(this.#vcs.root), realpathSync(this.#context.plan.directory));
    return path.startsWith("..") ? "" : path;
  }

  async #environment(): Promise<JsonObject> {
    const { workspace } = this.#context;
    return (this.#environmentFacts ??= await describeEnvironment(workspace.shell(), workspace.root()));
  }
}
