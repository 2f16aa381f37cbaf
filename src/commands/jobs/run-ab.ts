import { Failure } from "../../core/failures/index.ts";
import { cpuTimeMetric } from "../../core/measurements/index.ts";
import type { Measured, Measurements } from "../../core/verdicts/index.ts";
import { type VersionId, abbreviate } from "../../core/versions/index.ts";
import { isSettled, openVerdicts } from "../../query/verdict/index.ts";
import type { JobsResult, JobWatcher, MeasuredRound, RequestedPlugin } from "../../workspace/jobs/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  compareSides,
  type CompareRequest,
  type Comparison,
  judgeSides,
  measuredSide,
  roundSamples,
} from "../verdicts/index.ts";
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

/** The pairs of two commits while they are measured. */
class PairSamples {
  readonly #sides: readonly [VersionId, VersionId];
  readonly #request: Pick<CompareRequest, "options" | "selection">;
  readonly #values = new Map<VersionId, Map<string, Measured>>();

  constructor(sides: readonly [VersionId, VersionId], request: Pick<CompareRequest, "options" | "selection">) {
    this.#sides = sides;
    this.#request = request;
  }

  /**
   * Adds a round, and returns whether all selected subjects are settled. Fails with `nothing-to-compare` if none is
   * selected.
   */
  async add(round: readonly MeasuredRound[]): Promise<boolean> {
    for (const each of round) this.#addTo(each.version, roundSamples(each));
    const [base, head] = this.#sides.map((version) => this.#sideOf(version)) as [Measurements, Measurements];
    const { options, selection } = this.#request;
    const [compared] = await judgeSides(base, [head], options, selection);
    const verdicts = (compared?.rows ?? []).map(({ verdict }) => verdict);
    const open = new Set(openVerdicts(verdicts));
    return verdicts.every((verdict) => isSettled(verdict, options) || (isSecondary(verdict) && !open.has(verdict)));
  }

  #addTo(version: VersionId, samples: readonly Measured[]): void {
    const known = this.#values.get(version) ?? new Map<string, Measured>();
    this.#values.set(version, known);
    for (const sample of samples) {
      const key = JSON.stringify([sample.subject.key, [...(sample.workload?.facts ?? [])]]);
      const before = known.get(key)?.groups[0] ?? new Float64Array();
      const groups = [Float64Array.from([...before, ...(sample.groups[0] ?? [])])];
      known.set(key, { ...sample, groups });
    }
  }

  #sideOf(version: VersionId): Measurements {
    const measured = [...(this.#values.get(version)?.values() ?? [])];
    return { name: version, measured, machines: [], version };
  }
}

/** CPU time next to wall time does not prolong a measurement. */
function isSecondary({ subject }: { readonly subject: { readonly metric: string } }): boolean {
  return subject.metric === cpuTimeMetric;
}
