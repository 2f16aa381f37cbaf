import { splitCommand } from "../../core/text/command-line.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { textAt } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import { formatValue, type Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { profileName } from "../../formats/profile/profile-name.ts";
import type { Shell, Collector, Job } from "../../plugins/collectors/collector.ts";
import type { Batch } from "./batch.ts";
import type { JobPlan, PlannedJob } from "./plan.ts";
import { partParams, type Part, type Task, profileOfTask, withMachineState } from "./task.ts";
import { saveProfile, type SavedProfile } from "../profiles/save-profile.ts";
import { MachineWatch } from "../machine/machine-state.ts";
import type { NoiseReport } from "./noise-report.ts";
import { openOutputReader, type RawOutput } from "../import/output-reader.ts";
import type { Workspace } from "../workspace.ts";

/** A profile of a run, and how much its numbers can be relied on. */
export interface MeasuredProfile extends SavedProfile {
  /** Steps that were applied, in their order. */
  readonly postprocessors: readonly string[];
  readonly noise: NoiseReport;
}

/** What became of a task: its profile, and why a postprocessor could not be applied to it, if one could not. */
export interface FinishedTask {
  readonly profile: MeasuredProfile;
  readonly failure: Failure | null;
  /** What the program printed at last, as far as the profile has it. */
  readonly printed: string;
  /** What it wrote in a known format, call by call, as far as this run measured it. */
  readonly outputs: readonly RawOutput[];
}

/** Measures the parts of tasks and makes profiles of them. */
export class TaskRunner {
  readonly #workspace: Workspace;
  readonly #plan: JobPlan;
  readonly #shell: Shell;
  readonly #batch: Batch | null;
  readonly #runs = new Map<string, Run>();
  readonly #warm = new Set<Task>();
  readonly #outputs = new Map<Task, RawOutput[]>();
  #finished = 0;

  /** Without a batch nothing is kept but profiles. */
  constructor(workspace: Workspace, plan: JobPlan, shell: Shell, batch: Batch | null) {
    this.#workspace = workspace;
    this.#plan = plan;
    this.#shell = shell;
    this.#batch = batch;
  }

  /** True when an earlier run has kept what this part gave. */
  isMeasured(part: Part): boolean {
    return (this.#batch?.storedPart(part.key) ?? null) !== null;
  }

  /** Measures a part and keeps it until the task is finished: on disk where it is one of several. */
  async measure(task: Task, part: Part, watcher: PhaseWatcher): Promise<void> {
    const { job, checkout: place } = task;
    const isFirst = !this.#warm.has(task);
    this.#warm.add(task);
    if (isFirst) await this.#warmUp(task, part);
    const params = partParams(job, part, isFirst, this.#plan.warmup);
    const reader = openOutputReader(this.#workspace.files, this.#workspace.registry, (raw) => this.#hear(task, raw));
    const watch = new MachineWatch();
    const asked = {
      cmd: job.cmd,
      workload: part.words,
      params,
      directory: place.directory,
      machine: place.machine,
      reader,
    };
    const run = withMachineState(await measureOnce(job.collector, asked, this.#shell, watcher), watch.end());
    if (task.parts.length > 1 && this.#batch) this.#batch.storePart(part.key, run);
    else this.#runs.set(part.key, run);
  }

  /** Makes the profile of a task whose parts are all measured, and keeps it. */
  finish(task: Task, notice: (text: string) => void): FinishedTask {
    const measured = task.parts.map((part) => ({ part, run: this.#take(part) }));
    const { run, noise } = profileOfTask(task, measured, this.#plan);
    const { run: last, failed } = applyPostprocessors(task.job, run, notice);
    const { version } = task.checkout;
    const kept = saveProfile(
      this.#workspace,
      { ...last, origin: version },
      (suffix) => this.#named(task, last, suffix),
      this.#plan.register,
    );
    this.#finished += 1;
    if (task.parts.length > 1) for (const part of task.parts) this.#batch?.removePart(part.key);
    const failure = failed && new Failure("postprocessor-failed", { ...failed, profile: kept.name });
    if (failure) this.#batch?.forget(task.key);
    return {
      profile: { ...kept, postprocessors: stepsOf(last), noise },
      failure,
      printed: printedOutput(run),
      outputs: this.#outputs.get(task) ?? [],
    };
  }

  /** The command itself, for collectors that do not warm up. Whether it succeeds is for the collector to say. */
  async #warmUp({ job, checkout: place }: Task, part: Part): Promise<void> {
    if (job.params.has("warmup")) return;
    const argv = splitCommand(`${job.cmd} ${part.words}`);
    for (let run = 0; run < (this.#plan.warmup ?? 0); run++)
      await this.#shell.run(argv, { directory: place.directory });
  }

  #hear(task: Task, raw: RawOutput): void {
    const outputs = this.#outputs.get(task);
    if (outputs === undefined) this.#outputs.set(task, [raw]);
    else outputs.push(raw);
  }

  #take(part: Part): Run {
    const run = this.#runs.get(part.key) ?? this.#batch?.storedPart(part.key);
    this.#runs.delete(part.key);
    if (!run) throw new Failure("cannot-read", { path: `${part.key}.part`, reason: "what was measured is gone" });
    return run;
  }

  /** Noted before anything has the name, so that a kill right after it was written does not measure it again. */
  #named(task: Task, run: Run, suffix: string): string {
    const { job, title, checkout: place, key } = task;
    const facts = {
      collector: job.collector.name,
      postprocessors: stepsOf(run),
      cmd: job.cmd,
      workload: title,
      type: job.collector.profileType,
      origin: place.version,
    };
    const moment = { time: this.#workspace.world.now(), counter: this.#finished, params: tokenValues(job) };
    const name = profileName(this.#plan.nameTemplate, { ...facts, ...moment }, suffix);
    this.#batch?.record(key, [name]);
    return name;
  }
}

function stepsOf({ steps }: Run): string[] {
  return steps.filter((step) => step.kind === "postprocessor").map((step) => step.name);
}

function printedOutput(run: Run): string {
  const execution = run.extra.get("execution");
  return `${textAt(execution, "stdout") ?? ""}${textAt(execution, "stderr") ?? ""}`;
}

/** A step that fails ends the chain; what was measured is kept as it is then. */
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

/** What tokens such as `%time.repeat%` mean. */
function tokenValues({ collector, params, steps }: PlannedJob): Map<string, string> {
  const own = (name: string, options: readonly Variable[], values: Values): [string, string][] =>
    options.map((option) => [`${name}.${option.name}`, formatValue(values.get(option.name) ?? null, option.type)]);
  const ofSteps = steps.flatMap(({ unit, options }) => own(unit.recorded, unit.options, options));
  return new Map([...own(collector.name, collector.options, params), ...ofSteps]);
}

/** Who hears of a measurement as it goes. */
interface PhaseWatcher {
  /** 0..1, of the phase `collect`. */
  progress?(done: number): void;
  /**
   * What the collector has to say besides the run; and a teardown that failed, which is no reason to lose what was
   * measured.
   */
  notice?(text: string): void;
}

/**
 * Measures once, phase by phase: before, collect, after, and teardown however they ended. Fails with the first failure
 * of the first three.
 */
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
    watcher.notice?.(`collector ${collector.name} could not tidy up: ${error.message}`);
  }
}
