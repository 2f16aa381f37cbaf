import type { VersionId } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { PlannedJob } from "./plan.ts";
import type { RawOutput } from "../import/index.ts";
import type { MeasuredProfile } from "./task-runner.ts";

/** A job without a (complete) profile; `job` null: a version whose tree could not be prepared. */
export interface FailedJob {
  readonly version: VersionId;
  readonly job: PlannedJob | null;
  readonly failure: Failure;
}

export interface JobsResult {
  readonly kept: readonly MeasuredProfile[];
  readonly failed: readonly FailedJob[];
  /** Jobs skipped because an earlier run had finished them. */
  readonly resumed: number;
}

/** Callbacks of a run. `done` and `total` count jobs; `done` includes the fraction of the current one. */
export interface JobWatcher {
  progress?(done: number, total: number, version: VersionId, job: PlannedJob | null): void;
  /** `printed`: last output of the program, untrusted. `outputs`: its outputs in known formats. */
  kept?(profile: MeasuredProfile, printed: string, outputs: readonly RawOutput[]): void;
  notice?(text: string): void;
  failed?(failed: FailedJob): void;
}

/** Accounts for the jobs of a run. */
export class JobLedger {
  readonly watcher: JobWatcher;
  readonly #profiles: MeasuredProfile[] = [];
  readonly #failed: FailedJob[] = [];
  #resumed = 0;
  #total: number;
  #done = 0;

  constructor(total: number, watcher: JobWatcher) {
    this.#total = total;
    this.watcher = watcher;
  }

  result(): JobsResult {
    return { kept: this.#profiles, failed: this.#failed, resumed: this.#resumed };
  }

  keep(profile: MeasuredProfile, printed: string, outputs: readonly RawOutput[]): void {
    this.#profiles.push(profile);
    this.watcher.kept?.(profile, printed, outputs);
  }

  /** Records a failure; rethrows interrupts and other errors. */
  fail(error: unknown, version: VersionId, job: PlannedJob | null): void {
    if (!(error instanceof Failure) || isFailure(error, "interrupted")) throw error;
    const failed = { version, job, failure: error };
    this.#failed.push(failed);
    this.watcher.failed?.(failed);
  }

  /** Excludes finished jobs from the total, so that the remaining time can be estimated. */
  skip(jobs: number): void {
    this.#resumed += jobs;
    this.#total -= jobs;
  }

  /** Excludes a finished fraction of a job. */
  skipPart(weight: number): void {
    this.#total -= weight;
  }

  /** Counts jobs, or a fraction of one, as done, successful or not. */
  advance(jobs: number, version: VersionId, job: PlannedJob | null): void {
    this.#done += jobs;
    this.report(version, job, 0);
  }

  /** Reports progress. `ahead`: finished fraction of the current measurement, in jobs. */
  report(version: VersionId, job: PlannedJob | null, ahead: number): void {
    // Sums of fractions are inexact.
    const total = Math.max(this.#total, 0);
    const done = Math.min(this.#done + ahead, total);
    this.watcher.progress?.(total - done < 1e-9 ? total : done, total, version, job);
  }
}
