import type { VersionId } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { PlannedJob } from "./plan.ts";
import type { RawOutput } from "../import/output-reader.ts";
import type { MeasuredProfile } from "./task-runner.ts";

/** A job that gave no profile, or none with all steps, or a whole version when its tree could not be prepared. */
export interface FailedJob {
  readonly version: VersionId;
  readonly job: PlannedJob | null;
  readonly failure: Failure;
}

export interface JobsResult {
  readonly kept: readonly MeasuredProfile[];
  readonly failed: readonly FailedJob[];
  /** Jobs that were left out, for an earlier run had finished them. */
  readonly resumed: number;
}

/**
 * Who watches a run hears of it as it goes; `done` and `total` count jobs, and `done` the fraction of the present one,
 * too.
 */
export interface JobWatcher {
  progress?(done: number, total: number, version: VersionId, job: PlannedJob | null): void;
  /** `printed`: what the program printed at last, which is untrusted. `outputs`: what it wrote in a known format. */
  kept?(profile: MeasuredProfile, printed: string, outputs: readonly RawOutput[]): void;
  notice?(text: string): void;
  failed?(failed: FailedJob): void;
}

/** What has become of the jobs of a run so far. */
export class JobLedger {
  readonly watcher: JobWatcher;
  readonly #kept: MeasuredProfile[] = [];
  readonly #failed: FailedJob[] = [];
  #resumed = 0;
  #total: number;
  #done = 0;

  constructor(total: number, watcher: JobWatcher) {
    this.#total = total;
    this.watcher = watcher;
  }

  result(): JobsResult {
    return { kept: this.#kept, failed: this.#failed, resumed: this.#resumed };
  }

  keep(profile: MeasuredProfile, printed: string, outputs: readonly RawOutput[]): void {
    this.#kept.push(profile);
    this.watcher.kept?.(profile, printed, outputs);
  }

  /** Lists a failure; an interrupt, and whatever is no Failure, goes on upwards. */
  fail(error: unknown, version: VersionId, job: PlannedJob | null): void {
    if (!(error instanceof Failure) || isFailure(error, "interrupted")) throw error;
    const failed = { version, job, failure: error };
    this.#failed.push(failed);
    this.watcher.failed?.(failed);
  }

  /** Jobs that need not be measured: they do not count, so that what is left can be estimated. */
  skip(jobs: number): void {
    this.#resumed += jobs;
    this.#total -= jobs;
  }

  /** A part of a job that need not be measured. */
  skipPart(weight: number): void {
    this.#total -= weight;
  }

  /** Jobs, or a fraction of one, that are over, however they ended. */
  advance(jobs: number, version: VersionId, job: PlannedJob | null): void {
    this.#done += jobs;
    this.report(version, job, 0);
  }

  /** `ahead`: what is done of the present measurement, in jobs. */
  report(version: VersionId, job: PlannedJob | null, ahead: number): void {
    // Fractions do not add up to whole numbers exactly.
    const total = Math.max(this.#total, 0);
    const done = Math.min(this.#done + ahead, total);
    this.watcher.progress?.(total - done < 1e-9 ? total : done, total, version, job);
  }
}
