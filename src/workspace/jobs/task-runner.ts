import { splitCommand } from "../../core/text/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { textAt, formatValue, type Values } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { profileName } from "../../formats/profile/index.ts";
import type { Shell, Collector, Job } from "../../plugins/collectors/collector.ts";
import type { Batch } from "./batch.ts";
import type { JobPlan, MeasuredRound, PlannedJob } from "./plan.ts";
import {
  partParams,
  type Part,
  type Task,
  profileOfTask,
  shortenedTask,
  withCanary,
  withMachineState,
} from "./task.ts";
import { saveProfile, type SavedProfile } from "../profiles/index.ts";
import { MachineWatch, timeCanary } from "../machine/index.ts";
import { measuredSummary } from "./measured-summary.ts";
import type { NoiseReport } from "./noise-report.ts";
import { openOutputReader, type RawOutput } from "../import/index.ts";
import type { Workspace } from "../workspace.ts";

/** A measured profile and its reliability. */
export interface MeasuredProfile extends SavedProfile {
  /** Applied postprocessors, in order. */
  readonly postprocessors: readonly string[];
  readonly noise: NoiseReport;
  /** Its main numbers; null if no few numbers summarize it. */
  readonly summary: string | null;
}

/** A finished task: its profile, and the failure of a postprocessor, if any. */
export interface FinishedTask {
  readonly profile: MeasuredProfile;
  readonly failure: Failure | null;
  /** Last output of the program, as far as the profile has it. */
  readonly printed: string;
  /** Outputs in known formats, one per call, as far as this run measured them. */
  readonly outputs: readonly RawOutput[];
}

/** Measures the parts of tasks and builds their profiles. */
export class TaskRunner {
  readonly #workspace: Workspace;
  readonly #plan: JobPlan;
  readonly #shell: Shell;
  readonly #batch: Batch | null;
  readonly #runs = new Map<string, Run>();
  readonly #warmedUp = new Set<Task>();
  readonly #outputs = new Map<Task, RawOutput[]>();
  #finished = 0;

  /** Without a batch only profiles are stored. */
  constructor(workspace: Workspace, plan: JobPlan, shell: Shell, batch: Batch | null) {
    this.#workspace = workspace;
    this.#plan = plan;
    this.#shell = shell;
    this.#batch = batch;
  }

  /** True if an earlier run has stored the result of this part. */
  isMeasured(part: Part): boolean {
    return (this.#batch?.storedPart(part.key) ?? null) !== null;
  }

  /** Measures a part and holds the result until the task is finished: on disk if the task has several parts. */
  async measure(task: Task, part: Part, watcher: PhaseWatcher): Promise<void> {
    const { job, checkout } = task;
    const isFirst = !this.#warmedUp.has(task);
    this.#warmedUp.add(task);
    if (isFirst) await this.#warmUp(task, part);
    const params = partParams(job, part, isFirst, this.#plan.warmup);
    const reader = openOutputReader(this.#workspace.files, this.#workspace.registry, (raw) =>
      this.#addOutput(task, raw),
    );
    const canary = this.#plan.canary === true ? timeCanary() : [];
    const watch = new MachineWatch();
    const request = {
      cmd: job.cmd,
      workload: part.arguments,
      params,
      directory: checkout.directory,
      machine: checkout.machine,
      reader,
    };
    const measured = named(await measureOnce(job.collector, request, this.#shell, watcher), job);
    const state = watch.end();
    if (this.#plan.canary === true) canary.push(...timeCanary());
    const run = withCanary(withMachineState(measured, state), canary);
    if (task.parts.length > 1 && this.#batch) this.#batch.storePart(part.key, run);
    else this.#runs.set(part.key, run);
  }

  /** The measurements of a task in one round, which stay stored; null: it has none. */
  roundOf(task: Task, round: number): MeasuredRound | null {
    const parts = task.parts.filter((part) => part.round === round);
    if (parts.length === 0) return null;
    const measured = parts.map((part) => ({ part, run: this.#storedRun(part) }));
    const { job, checkout } = task;
    const facts = {
      type: job.collector.profileType,
      collector: job.collectorName,
      cmd: job.cmd,
      workload: task.title,
      postprocessors: job.steps.map(({ unit }) => unit.recorded),
    };
    return { version: checkout.version, run: profileOfTask({ ...task, parts }, measured, this.#plan).run, facts };
  }

  /** Builds and stores the profile of a task from its measured parts. */
  finish(task: Task, parts: readonly Part[], notice: (text: string) => void): FinishedTask {
    const measured = parts.map((part) => ({ part, run: this.#takeRun(part) }));
    const { run, noise } = profileOfTask(shortenedTask(task, parts), measured, this.#plan);
    const { run: last, failed } = applyPostprocessors(task.job, run, notice);
    const { version } = task.checkout;
    const saved = saveProfile(
      this.#workspace,
      { ...last, origin: version },
      (suffix) => this.#recordName(task, last, suffix),
      { register: this.#plan.register, exact: this.#plan.exactNames },
    );
    this.#finished += 1;
    if (task.parts.length > 1) for (const part of task.parts) this.#batch?.removePart(part.key);
    const failure = failed && new Failure("postprocessor-failed", { ...failed, profile: saved.name });
    if (failure) this.#batch?.forget(task.key);
    return {
      profile: { ...saved, postprocessors: stepsOf(last), noise, summary: measuredSummary(run) },
      failure,
      printed: printedOutput(run),
      outputs: this.#outputs.get(task) ?? [],
    };
  }

  /**
   * Warms up by running the command, for collectors without a warm-up option. Ignores its status: the collector reports
   * it.
   */
  async #warmUp({ job, checkout }: Task, part: Part): Promise<void> {
    if (job.params.has("warmup")) return;
    const argv = splitCommand(`${job.cmd} ${part.arguments}`);
    for (let run = 0; run < (this.#plan.warmup ?? 0); run++)
      await this.#shell.run(argv, { directory: checkout.directory });
  }

  #addOutput(task: Task, raw: RawOutput): void {
    const outputs = this.#outputs.get(task);
    if (outputs === undefined) this.#outputs.set(task, [raw]);
    else outputs.push(raw);
  }

  #takeRun(part: Part): Run {
    const run = this.#storedRun(part);
    this.#runs.delete(part.key);
    return run;
  }

  #storedRun(part: Part): Run {
    const run = this.#runs.get(part.key) ?? this.#batch?.storedPart(part.key);
    if (!run)
      throw new Failure("cannot-read", { path: `${part.key}.part`, reason: "the stored measurement is missing" });
    return run;
  }

  /** Recorded before the file exists, so that a kill right after writing does not cause a repeated measurement. */
  #recordName(task: Task, run: Run, suffix: string): string {
    const { job, title, checkout, key } = task;
    const facts = {
      collector: job.collectorName,
      postprocessors: stepsOf(run),
      cmd: job.cmd,
      workload: title,
      type: job.collector.profileType,
      origin: checkout.version,
    };
    const context = { time: this.#workspace.world.now(), counter: this.#finished, params: tokenValues(job) };
    const name = profileName(this.#plan.nameTemplate, { ...facts, ...context }, suffix);
    this.#batch?.record(key, [name]);
    return name;
  }
}

function named(run: Run, { collector, collectorName: name }: PlannedJob): Run {
  if (name === collector.name) return run;
  return { ...run, steps: run.steps.map((step) => (step.kind === "collector" ? { ...step, name } : step)) };
}

function stepsOf({ steps }: Run): string[] {
  return steps.filter((step) => step.kind === "postprocessor").map((step) => step.name);
}

function printedOutput(run: Run): string {
  const execution = run.extra.get("execution");
  return `${textAt(execution, "stdout") ?? ""}${textAt(execution, "stderr") ?? ""}`;
}

/** A failing step ends the chain; the profile is stored as of the step before. */
function applyPostprocessors(
  { steps }: PlannedJob,
  run: Run,
  notice: (text: string) => void,
): { readonly run: Run; readonly failed: { readonly unit: string; readonly reason: string } | null } {
  let done = run;
  for (const { unit, options } of steps) {
    try {
      done = unit.apply(done, options, (text) => notice(`${unit.name}: ${text}`));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { run: done, failed: { unit: unit.name, reason: error.message } };
    }
  }
  return { run: done, failed: null };
}

/** Values of tokens such as `%time.repeat%`. */
function tokenValues({ collector, params, steps }: PlannedJob): Map<string, string> {
  const own = (name: string, options: readonly Variable[], values: Values): [string, string][] =>
    options.map((option) => [`${name}.${option.name}`, formatValue(values.get(option.name) ?? null, option.type)]);
  const ofSteps = steps.flatMap(({ unit, options }) => own(unit.recorded, unit.options, options));
  return new Map([...own(collector.name, collector.options, params), ...ofSteps]);
}

/** Callbacks of a measurement. */
interface PhaseWatcher {
  /** Fraction 0..1 of the phase `collect`. */
  progress?(done: number): void;
  /** Notices of the collector, and a failed teardown, which does not discard the measurement. */
  notice?(text: string): void;
}

/** Runs the phases before, collect, after, and always teardown. Fails with the first failure of the first three. */
export async function measureOnce(
  collector: Collector,
  job: Job,
  shell: Shell,
  watcher: PhaseWatcher = {},
): Promise<Run> {
  try {
    await collector.before?.(job, shell);
    const run = await collector.collect(job, shell, watcher.progress?.bind(watcher), watcher.notice?.bind(watcher));
    return (await collector.after?.(run, job, shell)) ?? run;
  } finally {
    await tearDown(collector, job, shell, watcher);
  }
}

async function tearDown(collector: Collector, job: Job, shell: Shell, watcher: PhaseWatcher): Promise<void> {
  try {
    await collector.teardown?.(job, shell);
  } catch (error) {
    if (!isFailure(error)) throw error;
    watcher.notice?.(`collector ${collector.name} could not clean up: ${error.message}`);
  }
}
