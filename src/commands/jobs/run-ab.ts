import { Failure } from "../../core/failures/index.ts";
import { type VersionId, abbreviate } from "../../core/versions/index.ts";
import type { RequestedPlugin, JobsResult, JobWatcher } from "../../workspace/jobs/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { compareSides, type CompareRequest, type Comparison, measuredSide } from "../verdicts/index.ts";
import { runJob, type RunOptions } from "./run-jobs.ts";

export interface AbOptions
  extends
    Omit<RunOptions, "versions" | "crawlParents" | "order" | "rounds" | "paired">,
    Pick<CompareRequest, "anyMachine" | "thresholds" | "options" | "selection"> {
  readonly base: string;
  readonly head: string;
  readonly cmds: readonly string[];
  readonly workloads: readonly string[];
  readonly collector: RequestedPlugin;
  /** Number of alternating measurements of each commit. */
  readonly pairs: number;
}

export interface AbResult {
  readonly jobs: JobsResult;
  /** null: a side could not be measured. */
  readonly comparison: Comparison | null;
}

/**
 * Measures two commits alternately, each in a worktree prepared once, stores the profiles and compares the pairs. Fails
 * with `unusable-combination` if both are the same commit or the collector does not repeat, and like `runJob`.
 */
export async function runAb(workspace: Workspace, options: AbOptions, watcher: JobWatcher = {}): Promise<AbResult> {
  const vcs = await workspace.vcs();
  const [base, head] = [await vcs.resolve(options.base), await vcs.resolve(options.head)];
  if (base === head)
    throw new Failure("unusable-combination", {
      what: `${options.base} and ${options.head} are the same commit`,
      instead: "name two commits",
    });
  const collector = {
    ...options.collector,
    params: new Map([...options.collector.params, ["repeat", String(options.pairs)]]),
  };
  const schedule = {
    versions: [base, head],
    crawlParents: false,
    register: true,
    order: "alternating",
    rounds: options.pairs,
    paired: true,
  } as const;
  const jobs = await runJob(workspace, { ...options, ...schedule, collectors: [collector] }, watcher);
  if (jobs.failed.length > 0) return { jobs, comparison: null };
  const side = (version: VersionId, word: string): ReturnType<typeof measuredSide> =>
    measuredSide(
      workspace,
      jobs.kept.filter((profile) => profile.version === version),
      word === version ? abbreviate(version) : word,
    );
  return {
    jobs,
    comparison: await compareSides(workspace, side(base, options.base), [side(head, options.head)], options),
  };
}
