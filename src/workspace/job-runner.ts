import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { VersionId } from "../core/digest.ts";
import { Failure, isFailure } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import { formatValue } from "../core/value.ts";
import { profileName } from "../formats/profile-name.ts";
import type { Vcs } from "../plugins/vcs/vcs.ts";
import { describeEnvironment, withTreeState } from "./environment.ts";
import type { JobPlan, PlannedJob } from "./job-plan.ts";
import { keepProfile, type KeptProfile } from "./keep-profile.ts";
import { runBefore } from "./pre-run.ts";
import { openOutputReader } from "./output-reader.ts";
import type { Workspace } from "./workspace.ts";
import { runPlaces, withVersion } from "./worktrees.ts";

/** A job that gave no profile, or a whole version when its tree could not be prepared. */
export interface FailedJob {
  readonly version: VersionId;
  readonly job: PlannedJob | null;
  readonly failure: Failure;
}

export interface JobsResult {
  readonly kept: readonly KeptProfile[];
  readonly failed: readonly FailedJob[];
}

/** Who watches a run hears of it as it goes; `done` counts whole jobs and the fraction of the present one. */
export interface JobWatcher {
  progress?(done: number, total: number, version: VersionId, job: PlannedJob | null): void;
  kept?(profile: KeptProfile): void;
  notice?(text: string): void;
  failed?(failed: FailedJob): void;
}

/** Where measuring happens: a version, the directory in its tree, and what profiles say of both. */
interface Place {
  readonly version: VersionId;
  readonly directory: string;
  readonly machine: JsonObject;
}

/**
 * Runs a plan. Each finished profile is kept at once, so neither a failing job nor an interrupt loses it. What fails is listed and the rest goes
 * on; only `interrupted` ends everything.
 */
export async function runPlan(workspace: Workspace, plan: JobPlan, watcher: JobWatcher = {}): Promise<JobsResult> {
  const runner = new JobRunner(workspace, plan, await workspace.vcs(), watcher);
  return runner.run();
}

class JobRunner {
  readonly #workspace: Workspace;
  readonly #plan: JobPlan;
  readonly #vcs: Vcs;
  readonly #watcher: JobWatcher;
  readonly #kept: KeptProfile[] = [];
  readonly #failed: FailedJob[] = [];
  #machine: JsonObject | undefined;
  #done = 0;

  constructor(workspace: Workspace, plan: JobPlan, vcs: Vcs, watcher: JobWatcher) {
    this.#workspace = workspace;
    this.#plan = plan;
    this.#vcs = vcs;
    this.#watcher = watcher;
  }

  async run(): Promise<JobsResult> {
    for (const collector of new Set(this.#plan.jobs.map((job) => job.collector))) await collector.prepare(this.#workspace.shell());
    if (this.#plan.versions === null) await this.#measureUserTree();
    else for (const version of this.#plan.versions) await this.#measureVersion(version);
    return { kept: this.#kept, failed: this.#failed };
  }

  async #measureUserTree(): Promise<void> {
    const version = await this.#vcs.head();
    const difference = await this.#vcs.dirtyDigest();
    const machine = withTreeState(await this.#environment(), difference);
    await this.#measure({ version, directory: this.#plan.directory, machine });
  }

  async #measureVersion(version: VersionId): Promise<void> {
    const { environment } = this.#workspace.world;
    const machine = withTreeState(await this.#environment(), null);
    try {
      await withVersion(runPlaces(this.#workspace.perun(), environment), this.#vcs, version, async (tree) => {
        await this.#measure({ version, directory: join(tree.path, this.#placeInTree()), machine });
      });
    } catch (error) {
      this.#refuse(error, version, null);
    }
  }

  /** The directory of the plan below the root of the tree; the root itself for one that lies elsewhere. */
  #placeInTree(): string {
    const path = relative(realpathSync(this.#vcs.root), realpathSync(this.#plan.directory));
    return path.startsWith("..") ? "" : path;
  }

  async #measure(place: Place): Promise<void> {
    const end = this.#done + this.#plan.jobs.length;
    try {
      await runBefore(this.#workspace.shell(), this.#plan.preRun, place.directory, place.version);
      for (const job of this.#plan.jobs) await this.#measureJob(place, job);
    } catch (error) {
      this.#refuse(error, place.version, null);
    }
    this.#done = end;
  }

  async #measureJob(place: Place, job: PlannedJob): Promise<void> {
    const { version, directory, machine } = place;
    try {
      this.#progress(version, job, 0);
      const { cmd, workload, params } = job;
      const reader = openOutputReader(this.#workspace.files, this.#workspace.registry);
      const measured = { cmd, workload, params, directory, machine, reader };
      const run = await job.collector.collect(measured, this.#workspace.shell(), (done) => this.#progress(version, job, done));
      const profile = keepProfile(
        this.#workspace,
        { ...run, origin: version },
        (suffix) => this.#name(version, job, suffix),
        this.#plan.register,
      );
      this.#kept.push(profile);
      this.#watcher.kept?.(profile);
    } catch (error) {
      this.#refuse(error, version, job);
    }
    this.#done++;
    this.#progress(version, job, 0);
  }

  #name(version: VersionId, { collector, cmd, workload, params }: PlannedJob, suffix: string): string {
    const options = collector.options.map(
      ({ name, type }) => [`${collector.name}.${name}`, formatValue(params.get(name) ?? null, type)] as const,
    );
    const facts = { collector: collector.name, postprocessors: [], cmd, workload, type: collector.profileType, origin: version };
    const moment = { time: this.#workspace.world.now(), counter: this.#kept.length, params: new Map(options) };
    return profileName(this.#plan.nameTemplate, { ...facts, ...moment }, suffix);
  }

  #progress(version: VersionId, job: PlannedJob | null, fraction: number): void {
    const total = this.#plan.jobs.length * (this.#plan.versions?.length ?? 1);
    this.#watcher.progress?.(Math.min(this.#done + fraction, total), total, version, job);
  }

  /** Lists a failure; an interrupt, and whatever is no Failure, goes on upwards. */
  #refuse(error: unknown, version: VersionId, job: PlannedJob | null): void {
    if (!(error instanceof Failure) || isFailure(error, "interrupted")) throw error;
    const failed = { version, job, failure: error };
    this.#failed.push(failed);
    this.#watcher.failed?.(failed);
  }

  async #environment(): Promise<JsonObject> {
    return (this.#machine ??= await describeEnvironment(this.#workspace.shell(), this.#workspace.root()));
  }
}
