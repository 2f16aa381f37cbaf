import { Failure, isFailure } from "../../core/failures/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { seededRandom, shuffledOrder } from "../../math/sampling/index.ts";
import type { Shell } from "../../plugins/collectors/collector.ts";
import type { Workload } from "../../plugins/generators/generator.ts";
import type { Batch } from "./batch.ts";
import { openGeneratorWorld, type PlannedGenerator } from "./generators.ts";
import type { JobLedger } from "./ledger.ts";
import type { JobPlan, PlannedJob, RunOrder } from "./plan.ts";
import { jobKey, tasksOf, type Part, type Checkout, type Task } from "./task.ts";
import { runPreRunCommands } from "./pre-run.ts";
import type { StopRequest } from "../processes/index.ts";
import { TaskRunner } from "./task-runner.ts";
import type { Workspace } from "../workspace.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Context of a run. */
export interface RunContext {
  readonly workspace: Workspace;
  readonly plan: JobPlan;
  /** Pinned to the processors of the plan. */
  readonly shell: Shell;
  readonly batch: Batch;
  /** True for runs of more than one measurement, whose progress is stored. */
  readonly isResumable: boolean;
  readonly ledger: JobLedger;
  readonly stop: StopRequest;
}

/** A task with unmeasured parts. */
interface OpenTask {
  readonly task: Task;
  readonly remaining: Set<Part>;
  /** Weight of each part, in jobs. */
  readonly weight: number;
}

/** Measures the jobs of a plan in existing trees, in the order of the plan. */
export class JobQueue {
  readonly #context: RunContext;
  readonly #runner: TaskRunner;
  readonly #open = new Map<Task, OpenTask>();
  /** Workloads of generators that do not depend on the tree. */
  readonly #workloads = new Map<PlannedGenerator, readonly Workload[]>();
  readonly #profiles = new Map<string, { readonly names: string[]; remaining: number }>();

  constructor(parts: RunContext) {
    const { workspace, plan, shell, batch, isResumable } = parts;
    this.#context = parts;
    this.#runner = new TaskRunner(workspace, plan, shell, isResumable ? batch : null);
  }

  /** True if an earlier run has finished all jobs of the version in a clean tree; counts them as resumed. */
  isFinished(version: VersionId): boolean {
    const { plan, ledger } = this.#context;
    const isFinished = plan.jobs.every((job) => this.#isRecorded(version, jobKey({ version, difference: null }, job)));
    if (isFinished) ledger.skip(plan.jobs.length);
    return isFinished;
  }

  async measure(checkouts: readonly Checkout[]): Promise<void> {
    const { plan, stop } = this.#context;
    const tasks: Task[] = [];
    for (const checkout of checkouts) tasks.push(...(await this.#prepare(checkout)));
    for (const task of tasks) this.#finishIfDone(task);
    const slots = schedule(tasks, plan.order, plan.seed);
    for (const [at, { task, part }] of slots.entries()) {
      stop.check();
      await this.#measurePart(task, part);
      const isLastOfRound = slots[at + 1] !== undefined && slots[at + 1]?.part.round !== part.round;
      if (isLastOfRound && (await this.#isEnough(part.round))) return this.#finishEarly(part.round);
    }
  }

  /** Whether the plan needs no further rounds; never if a task has failed or several rounds are mixed. */
  async #isEnough(round: number): Promise<boolean> {
    const { isEnough, order } = this.#context.plan;
    if (isEnough === undefined || order === "sequential" || order === "random") return false;
    const open = [...this.#open.keys()];
    return isEnough(open.flatMap((task) => this.#runner.roundOf(task, round) ?? []));
  }

  /** Makes the profiles of all open tasks from the rounds so far. */
  #finishEarly(round: number): void {
    for (const { task, remaining, weight } of this.#open.values()) {
      this.#context.ledger.skipPart(weight * remaining.size);
      remaining.clear();
      this.#finishIfDone(
        task,
        task.parts.filter((part) => part.round <= round),
      );
    }
  }

  /** Runs the pre-run commands of a checkout and returns its unfinished tasks. */
  async #prepare(checkout: Checkout): Promise<Task[]> {
    const { plan, workspace, ledger } = this.#context;
    const { version } = checkout;
    const jobs = plan.jobs.filter((job) => !this.#isRecorded(version, jobKey(checkout, job)));
    ledger.skip(plan.jobs.length - jobs.length);
    if (jobs.length === 0) return [];
    try {
      ledger.report(version, null, 0);
      await runPreRunCommands(workspace.shell(), plan.preRun, checkout.directory, version);
    } catch (error) {
      ledger.fail(error, version, null);
      ledger.advance(jobs.length, version, null);
      return [];
    }
    const tasks: Task[] = [];
    for (const job of jobs) tasks.push(...(await this.#openTasks(checkout, job)));
    return tasks;
  }

  async #openTasks(checkout: Checkout, job: PlannedJob): Promise<Task[]> {
    const { plan, ledger } = this.#context;
    try {
      const all = tasksOf(checkout, job, await this.#workloadsOf(checkout, job.generator), plan);
      const weight = 1 / all.reduce((sum, { parts }) => sum + parts.length, 0);
      this.#profiles.set(jobKey(checkout, job), { names: [], remaining: all.length });
      return all.filter((task) => this.#startTask(task, weight));
    } catch (error) {
      ledger.fail(error, checkout.version, job);
      ledger.advance(1, checkout.version, job);
      return [];
    }
  }

  /** False if an earlier run has finished the task; parts measured then are not measured again. */
  #startTask(task: Task, weight: number): boolean {
    const { ledger, batch } = this.#context;
    const isRecorded = this.#isRecorded(task.checkout.version, task.key);
    const remaining = task.parts.filter((part) => !isRecorded && !this.#runner.isMeasured(part));
    ledger.skipPart(weight * (task.parts.length - remaining.length));
    if (isRecorded) this.#recordProfile(task, batch.recorded(task.key) ?? []);
    else this.#open.set(task, { task, remaining: new Set(remaining), weight });
    return !isRecorded;
  }

  async #measurePart(task: Task, part: Part): Promise<void> {
    const { ledger } = this.#context;
    const { checkout, job } = task;
    const open = this.#open.get(task);
    if (!open?.remaining.has(part)) return;
    try {
      const show = (done: number): void => ledger.report(checkout.version, job, done * open.weight);
      show(0);
      await this.#runner.measure(task, part, { progress: show, notice: (text) => ledger.watcher.notice?.(text) });
      open.remaining.delete(part);
      ledger.advance(open.weight, checkout.version, job);
      this.#finishIfDone(task);
    } catch (error) {
      ledger.fail(inUnbuiltTree(error, this.#context.plan), checkout.version, job);
      this.#open.delete(task);
      ledger.advance(open.weight * open.remaining.size, checkout.version, job);
    }
  }

  #finishIfDone(task: Task, parts = task.parts): void {
    const { ledger } = this.#context;
    if (this.#open.get(task)?.remaining.size !== 0) return;
    this.#open.delete(task);
    const { checkout, job } = task;
    try {
      const { profile, failure, printed, outputs } = this.#runner.finish(task, parts, (text) =>
        ledger.watcher.notice?.(text),
      );
      ledger.keep(profile, printed, outputs);
      if (failure) throw failure;
      this.#recordProfile(task, [profile.name]);
    } catch (error) {
      ledger.fail(error, checkout.version, job);
    }
  }

  /** A job with several profiles is finished with the last of them. */
  #recordProfile(task: Task, names: readonly string[]): void {
    const key = jobKey(task.checkout, task.job);
    const profiles = this.#profiles.get(key);
    if (!profiles || task.key === key) return;
    profiles.names.push(...names);
    profiles.remaining -= 1;
    if (profiles.remaining === 0) this.#context.batch.record(key, profiles.names);
  }

  async #workloadsOf(checkout: Checkout, planned: PlannedGenerator | null): Promise<readonly Workload[] | null> {
    if (planned === null) return null;
    const { workspace, batch } = this.#context;
    const known = this.#workloads.get(planned);
    if (known) return known;
    const files = join(batch.files, String(this.#workloads.size));
    const world = openGeneratorWorld(workspace.shell(), { tree: checkout.directory, files });
    const workloads = await planned.generator.generate(planned.options, world);
    if (!planned.generator.needsTree) this.#workloads.set(planned, workloads);
    return workloads;
  }

  /** A profile that was removed since is measured again. */
  #isRecorded(version: VersionId, key: string): boolean {
    const { workspace, batch, isResumable } = this.#context;
    const names = isResumable ? batch.recorded(key) : null;
    if (names === null) return false;
    const { pending } = workspace.store();
    return names.every(
      (name) =>
        existsSync(join(pending.folder, name)) || workspace.registered(version).some((one) => one.name === name),
    );
  }
}

/** A scheduled measurement. */
interface Slot {
  readonly task: Task;
  readonly part: Part;
}

/**
 * All measurements in execution order. sequential: task by task. interleaved: round by round, and in each round job by
 * job over all versions, so that drift affects all versions. alternating: the same, with the order of versions reversed
 * in every other round, so that none always follows the other. random: shuffled.
 */
function schedule(tasks: readonly Task[], order: RunOrder, seed: number): Slot[] {
  const slots = tasks.flatMap((task) => task.parts.map((part) => ({ task, part })));
  if (order === "random") return Array.from(shuffledOrder(slots.length, seededRandom(seed)), (at) => slots[at]!);
  if (order === "sequential") return slots;
  const jobs = new Map([...new Set(tasks.map(({ job }) => job))].map((job, at) => [job, at]));
  const positionInJob = new Map(tasks.flatMap(({ parts }) => parts.map((part, at) => [part, at] as const)));
  const positionOfTask = new Map(tasks.map((task, at) => [task, at]));
  const ranked = slots.map((slot) => {
    const { round } = slot.part;
    const isBackwards = order === "alternating" && round % 2 === 1;
    const version = isBackwards ? -(positionOfTask.get(slot.task) ?? 0) : 0;
    return { slot, rank: [round, jobs.get(slot.task.job) ?? 0, positionInJob.get(slot.part) ?? 0, version] };
  });
  return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ slot }) => slot);
}

/** Sorting is stable, so equal ranks keep the order of versions. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Says of a missing program that no command builds the clean tree of a commit. */
function inUnbuiltTree(error: unknown, { versions, preRun }: JobPlan): unknown {
  if (versions === null || preRun.length > 0 || !isFailure(error, "command-not-found")) return error;
  return new Failure("command-not-found", { ...error.data, tree: "unbuilt" }, error);
}
