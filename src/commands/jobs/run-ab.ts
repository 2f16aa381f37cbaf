import { Failure } from "../../core/failures/index.ts";
import { type VersionId, abbreviate } from "../../core/versions/index.ts";
import type { RequestedPlugin, JobsResult, JobWatcher } from "../../workspace/jobs/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { compareSides, type CompareRequest, type Comparison, measuredSide } from "../verdicts/index.ts";
import { PairSamples } from "./pair-samples.ts";
import { runJob, type RunOptions } from "./run-jobs.ts";

export interface AbOptions
  extends
    Omit<RunOptions, "versions" | "crawlParents" | "order" | "rounds" | "paired" | "isEnough">,
    Pick<CompareRequest, "anyMachine" | "thresholds" | "options" | "selection"> {
  readonly base: string;
  readonly head: string;
  readonly cmds: readonly string[];
  readonly workloads: readonly string[];
  readonly collector: RequestedPlugin;
  /** Fixed number of alternating measurements of each commit; null: until they decide. */
  readonly pairs: number | null;
  /** Most measurements of each commit if their number is not fixed. */
  readonly maxPairs: number;
}

export interface AbResult {
  readonly jobs: JobsResult;
  /** null: a side could not be measured. */
  readonly comparison: Comparison | null;
  /** Number of measured pairs, and most of them; null: a side could not be measured. */
  readonly pairs: { readonly measured: number; readonly most: number; readonly isFixed: boolean } | null;
}

/**
 * Measures two commits alternately, each in a worktree prepared once, until the pairs decide or a fixed number of
 * times, stores the profiles and compares the pairs. Fails with `unusable-combination` if both are the same commit or
 * the collector does not repeat, and like `runJob`.
 */
export async function runAb(workspace: Workspace, options: AbOptions, watcher: JobWatcher = {}): Promise<AbResult> {
  const vcs = await workspace.vcs();
  const [base, head] = [await vcs.resolve(options.base), await vcs.resolve(options.head)];
  if (base === head)
    throw new Failure("unusable-combination", {
      what: `${options.base} and ${options.head} are the same commit`,
      instead: "name two commits",
    });
  const most = options.pairs ?? options.maxPairs;
  const collector = { ...options.collector, params: new Map([...options.collector.params, ["repeat", String(most)]]) };
  const samples = new PairSamples([base, head], options);
  const schedule = {
    versions: [base, head],
    crawlParents: false,
    register: true,
    order: "alternating",
    rounds: most,
    paired: true,
    ...(options.pairs === null ? { isEnough: samples.add.bind(samples) } : {}),
  } as const;
  const jobs = await runJob(workspace, { ...options, ...schedule, collectors: [collector] }, watcher);
  if (jobs.failed.length > 0) return { jobs, comparison: null, pairs: null };
  const side = (version: VersionId, word: string): ReturnType<typeof measuredSide> =>
    measuredSide(
      workspace,
      jobs.kept.filter((profile) => profile.version === version),
      word === version ? abbreviate(version) : word,
    );
  const comparison = await compareSides(workspace, side(base, options.base), [side(head, options.head)], options);
  const measured = Math.max(0, ...comparison.rows.map(({ verdict }) => verdict.before?.n ?? 0));
  return { jobs, comparison, pairs: { measured, most, isFixed: options.pairs !== null } };
}
