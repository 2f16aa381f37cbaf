import type { Digest, VersionId } from "../../core/versions/index.ts";
import type { Failure } from "../../core/failures/index.ts";
import { textAt } from "../../core/values/index.ts";
import type { ProfileColumn } from "../../query/profile/index.ts";
import { describeEnvironment } from "../../workspace/machine/index.ts";
import type { JobWatcher } from "../../workspace/jobs/index.ts";
import { readRun } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { measuredValue } from "./measured-value.ts";
import { runJob, type JobOptions } from "../jobs/index.ts";

/** A measured value of a commit and its profile. */
export interface VersionMeasurement {
  readonly version: VersionId;
  readonly value: number;
  /** Empty for unitless values. */
  readonly unit: string;
  readonly profile: string;
}

/** The measured job: one command, workload and collector. */
export type BisectJob = Omit<JobOptions, "versions" | "crawlParents" | "register" | "resume">;

/** Measures commits in worktrees and registers the profiles. */
export class VersionProbe {
  readonly #workspace: Workspace;
  readonly #job: BisectJob;
  readonly #column: ProfileColumn;
  readonly #watcher: JobWatcher;
  #machine: Promise<string | undefined> | undefined;

  constructor(workspace: Workspace, job: BisectJob, column: ProfileColumn, watcher: JobWatcher) {
    this.#workspace = workspace;
    this.#job = job;
    this.#column = column;
    this.#watcher = watcher;
  }

  /** Measures a commit (null: the working tree), or returns why that failed. */
  async measure(version: VersionId | null): Promise<VersionMeasurement | Failure> {
    const options = { ...this.#job, versions: version === null ? [] : [version], crawlParents: false, register: true };
    const { kept, failed } = await runJob(this.#workspace, options, this.#watcher);
    const [profile] = kept;
    if (failed[0] !== undefined || profile === undefined) return failed[0]!.failure;
    const { name, object, path } = profile;
    const located =
      object === null
        ? ({ kind: "file", name, path: path!, pending: true } as const)
        : ({ kind: "object", name, digest: object } as const);
    const measured = measuredValue(readRun(this.#workspace, located), this.#column, name);
    return { version: profile.version, profile: name, ...measured };
  }

  /** Values of registered profiles of the same job on this machine, in registration order. */
  async known(version: VersionId): Promise<VersionMeasurement[]> {
    const [cmd, workload = "", collector] = [this.#job.cmds[0], this.#job.workloads[0], this.#job.collectors[0]?.name];
    const matching = this.#workspace.registered(version).filter((one) => {
      return (
        one.cmd === cmd && one.workload === workload && one.collector === collector && one.postprocessors.length === 0
      );
    });
    const here = matching.length === 0 ? undefined : await this.#fingerprint();
    return matching.flatMap(({ name, object }) => {
      const run = readRun(this.#workspace, { kind: "object", name, digest: object as Digest });
      if (textAt(run.machine, "fingerprint") !== here) return [];
      return [{ version, profile: name, ...measuredValue(run, this.#column, name) }];
    });
  }

  #fingerprint(): Promise<string | undefined> {
    this.#machine ??= describeEnvironment(this.#workspace.shell(), this.#workspace.root()).then((facts) =>
      textAt(facts, "fingerprint"),
    );
    return this.#machine;
  }
}
