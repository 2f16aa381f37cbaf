import type { VersionId } from "../../core/versions/digest.ts";
import { seededRandom, shuffledOrder } from "../../math/sampling/seeded-random.ts";
import type { Shell } from "../../plugins/collectors/collector.ts";
import type { Workload } from "../../plugins/generators/generator.ts";
import type { Batch } from "./batch.ts";
import { openGeneratorWorld, type PlannedGenerator } from "./generators.ts";
import type { JobLedger } from "./ledger.ts";
import type { JobPlan, PlannedJob, RunOrder } from "./plan.ts";
import { jobKey, tasksOf, type Part, type Checkout, type Task } from "./task.ts";
import { runPreRunCommands } from "./pre-run.ts";
import type { StopRequest } from "../processes/stop-request.ts";
import { TaskRunner } from "./task-runner.ts";
import type { Workspace } from "../workspace.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** What a run has at hand. */
export interface RunContext {
  readonly workspace: Workspace;
  readonly plan: JobPlan;
  /** Its programs are kept on the processors of the plan. */
  readonly shell: Shell;
  readonly batch: Batch;
  /** Of a run with more than one measurement it is kept how far it has come. */
  readonly isResumable: boolean;
  readonly ledger: JobLedger;
  readonly stop: StopRequest;
}

/** A task whose parts are not all measured yet. */
interface OpenTask {
  readonly task: Task;
  readonly left: Set<Part>;
  /** Of each part, in jobs. */
  readonly weight: number;
}

/** Measures the jobs of a plan in trees that are there, in the order of the plan. */
export class JobQueue {
  readonly #parts: RunContext;
  readonly #runner: TaskRunner;
  readonly #open = new Map<Task, OpenTask>();
  /** What generators made that make the same in every tree. */
  readonly #workloads = new Map<PlannedGenerator, readonly Workload[]>();
  readonly #profiles = new Map<string, { readonly names: string[]; left: number }>();

  constructor(parts: RunContext) {
    const { workspace, plan, shell, batch, isResumable } = parts;
    this.#parts = parts;
    this.#runner = new TaskRunner(workspace, plan, shell, isResumable ? batch : null);
  }

  /** True when an earlier run has finished all jobs of the version in a clean tree; then they count as resumed. */
  isFinished(version: VersionId): boolean {
    const { plan, ledger } = this.#parts;
    const isFinished = plan.jobs.every((job) => this.#isKept(version, jobKey({ version, difference: null }, job)));
    if (isFinished) ledger.skip(plan.jobs.length);
    return isFinished;
  }

  async measure(places: readonly Checkout[]): Promise<void> {
    const { plan, stop } = this.#parts;
    const tasks: Task[] = [];
    for (const place of places) tasks.push(...(await this.#prepared(place)));
    for (const task of tasks) this.#finishIfDone(task);
    for (const { task, part } of schedule(tasks, plan.order, plan.seed)) {
      stop.check();
      await this.#measurePart(task, part);
    }
  }

  /** The tasks in one tree that are not finished yet, once its commands have run. */
  async #prepared(place: Checkout): Promise<Task[]> {
    const { plan, workspace, ledger } = this.#parts;
    const { version } = place;
    const jobs = plan.jobs.filter((job) => !this.#isKept(version, jobKey(place, job)));
    ledger.skip(plan.jobs.length - jobs.length);
    if (jobs.length === 0) return [];
    try {
      ledger.report(version, null, 0);
      await runPreRunCommands(workspace.shell(), plan.preRun, place.directory, version);
    } catch (error) {
      ledger.fail(error, version, null);
      ledger.advance(jobs.length, version, null);
      return [];
    }
    const tasks: Task[] = [];
    for (const job of jobs) tasks.push(...(await this.#opened(place, job)));
    return tasks;
  }

  async #opened(place: Checkout, job: PlannedJob): Promise<Task[]> {
    const { plan, ledger } = this.#parts;
    try {
      const all = tasksOf(place, job, await this.#workloadsOf(place, job.generator), plan);
      const weight = 1 / all.reduce((sum, { parts }) => sum + parts.length, 0);
      this.#profiles.set(jobKey(place, job), { names: [], left: all.length });
      return all.filter((task) => this.#begin(task, weight));
    } catch (error) {
      ledger.fail(error, place.version, job);
      ledger.advance(1, place.version, job);
      return [];
    }
  }

  /** False when an earlier run has finished the task; parts that it measured are not measured again. */
  #begin(task: Task, weight: number): boolean {
    const { ledger, batch } = this.#parts;
    const isKept = this.#isKept(task.checkout.version, task.key);
    const left = task.parts.filter((part) => !isKept && !this.#runner.isMeasured(part));
    ledger.skipPart(weight * (task.parts.length - left.length));
    if (isKept) this.#noteProfile(task, batch.recorded(task.key) ?? []);
    else this.#open.set(task, { task, left: new Set(left), weight });
    return !isKept;
  }

  async #measurePart(task: Task, part: Part): Promise<void> {
    const { ledger } = this.#parts;
    const { checkout: place, job } = task;
    const open = this.#open.get(task);
    if (!open?.left.has(part)) return;
    try {
      const show = (done: number): void => ledger.report(place.version, job, done * open.weight);
      show(0);
      await this.#runner.measure(task, part, { progress: show, notice: (text) => ledger.watcher.notice?.(text) });
      open.left.delete(part);
      ledger.advance(open.weight, place.version, job);
      this.#finishIfDone(task);
    } catch (error) {
      ledger.fail(error, place.version, job);
      this.#open.delete(task);
      ledger.advance(open.weight * open.left.size, place.version, job);
    }
  }

  #finishIfDone(task: Task): void {
    const { ledger } = this.#parts;
    if (this.#open.get(task)?.left.size !== 0) return;
    this.#open.delete(task);
    const { checkout: place, job } = task;
    try {
      const { profile, failure, printed, outputs } = this.#runner.finish(task, (text) => ledger.watcher.notice?.(text));
      ledger.keep(profile, printed, outputs);
      if (failure) throw failure;
      this.#noteProfile(task, [profile.name]);
    } catch (error) {
      ledger.fail(error, place.version, job);
    }
  }

  /** A job with several profiles is finished with the last of them. */
  #noteProfile(task: Task, names: readonly string[]): void {
    const key = jobKey(task.checkout, task.job);
    const profiles = this.#profiles.get(key);
    if (!profiles || task.key === key) return;
    profiles.names.push(...names);
    profiles.left -= 1;
    if (profiles.left === 0) this.#parts.batch.record(key, profiles.names);
  }

  async #workloadsOf(place: Checkout, planned: PlannedGenerator | null): Promise<readonly Workload[] | null> {
    if (planned === null) return null;
    const { workspace, batch } = this.#parts;
    const known = this.#workloads.get(planned);
    if (known) return known;
    const files = join(batch.files, String(this.#workloads.size));
    const world = openGeneratorWorld(workspace.shell(), { tree: place.directory, files });
    const made = await planned.generator.generate(planned.options, world);
    if (!planned.generator.needsTree) this.#workloads.set(planned, made);
    return made;
  }

  /** A profile that somebody has taken away since is measured again. */
  #isKept(version: VersionId, key: string): boolean {
    const { workspace, batch, isResumable } = this.#parts;
    const names = isResumable ? batch.recorded(key) : null;
    if (names === null) return false;
    const { pending } = workspace.store();
    return names.every(
      (name) =>
        existsSync(join(pending.folder, name)) || workspace.registered(version).some((one) => one.name === name),
    );
  }
}

/** A measurement of a task. */
interface Slot {
  readonly task: Task;
  readonly part: Part;
}

/**
 * The measurements of all tasks in the order in which they are made. sequential: task by task. interleaved: the first
 * round of all, then the second, and in each the same job in one version after the other, so that what drifts drifts
 * for all of them. alternating: the same, and every other round has the versions the other way round, so that none
 * always follows the other. random: shuffled.
 */
function schedule(tasks: readonly Task[], order: RunOrder, seed: number): Slot[] {
  const slots = tasks.flatMap((task) => task.parts.map((part) => ({ task, part })));
  if (order === "random") return Array.from(shuffledOrder(slots.length, seededRandom(seed)), (at) => slots[at]!);
  if (order === "sequential") return slots;
  const jobs = new Map([...new Set(tasks.map(({ job }) => job))].map((job, at) => [job, at]));
  const placeInJob = new Map(tasks.flatMap(({ parts }) => parts.map((part, at) => [part, at] as const)));
  const placeOfTask = new Map(tasks.map((task, at) => [task, at]));
  const ranked = slots.map((slot) => {
    const { round } = slot.part;
    const isBackwards = order === "alternating" && round % 2 === 1;
    const version = isBackwards ? -(placeOfTask.get(slot.task) ?? 0) : 0;
    return { slot, rank: [round, jobs.get(slot.task.job) ?? 0, placeInJob.get(slot.part) ?? 0, version] };
  });
  return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ slot }) => slot);
}

/** Sorting keeps the order of what is equal: that of the versions. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
