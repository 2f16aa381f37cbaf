import type { VersionId } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import {
  endsDiffer,
  type Evidence,
  credibleGroups,
  nextMove,
  suspectsOf,
  type Suspects,
  binarySearchCost,
  type LineEnding,
  type NestedEnding,
  searchNested,
  stepAt,
  type Step,
  type VersionLine,
} from "../../query/bisect/index.ts";
import type { JobWatcher } from "../../workspace/jobs/index.ts";
import { SearchJournal, type SearchRecord } from "../../workspace/verdicts/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { bisectHistory, type BisectHistory } from "./history.ts";
import { VersionProbe, type BisectJob, type VersionMeasurement } from "./measurement.ts";
import { comparedColumn } from "./measured-value.ts";

export interface BisectOptions {
  /** A revision before the change, and one that has it. */
  readonly good: string;
  readonly bad: string;
  readonly job: BisectJob;
  /** Compared value of a profile, `COLUMN:STATISTIC[:CONDITIONS]`; default: depends on the collector. */
  readonly of?: string;
  /** Required probability of the result, between 0.5 and 1. */
  readonly confidence: number;
  readonly mostRuns: number;
  /** No measurement starts after this many seconds. */
  readonly timeoutSeconds?: number;
  /** Use registered profiles as measurements. */
  readonly reuse: boolean;
  readonly resume: boolean;
}

/**
 * A commit that may have caused the change. Commits that cannot be distinguished, because those between them cannot be
 * measured, share the probability.
 */
export interface BisectSuspect {
  readonly version: VersionId;
  readonly subject: string;
  readonly probability: number;
}

export interface BisectResult {
  /**
   * found: one commit caused the change; narrowed: one of several did; alike: the ends do not differ; stopped: the
   * budget was used up.
   */
  readonly outcome: "found" | "narrowed" | "alike" | "stopped";
  readonly good: VersionId;
  readonly bad: VersionId;
  /** Number of commits that may have made the change, merged ones included. */
  readonly candidates: number;
  /** Number of those on the first-parent history. */
  readonly mainline: number;
  /** Most probable first; their sum is `probability`. */
  readonly suspects: readonly BisectSuspect[];
  readonly probability: number;
  /** The outermost merge whose commits were searched, if any. */
  readonly merge: VersionId | null;
  /** All of them, from the outermost to the innermost. */
  readonly merges: readonly VersionId[];
  /**
   * Why the last merge could not be searched. alike: its branch started at the level of the merge; unmeasurable: its
   * branch point cannot be built or measured.
   */
  readonly obstacle: "alike" | "unmeasurable" | null;
  readonly unit: string;
  /** null: the ends do not differ. */
  readonly step: Omit<Step, "deviations"> | null;
  readonly measurements: readonly VersionMeasurement[];
  readonly skipped: readonly { readonly version: VersionId; readonly reason: string }[];
  /** Number of measurements reused from a resumed run or registered profiles. */
  readonly earlier: number;
  /** Estimated cost of binary search at the same confidence and noise; null: no result. */
  readonly plain: { readonly repetitions: number; readonly measurements: number } | null;
}

/** Receives each measurement and each skipped commit. */
export interface BisectWatcher extends JobWatcher {
  measured?(measurement: VersionMeasurement, count: number): void;
  skipped?(version: VersionId, failure: Failure): void;
}

/** Share of the measurements after which ends that do not differ are given up, for each end. */
const shareOfEnds = 0.25;

/**
 * Finds the commit that changed a metric. Each measurement is one profile, made in a worktree and registered. Fails
 * with `bisect-ends`, `bisect-end-unmeasurable`, `interrupted`, and like `runJob`.
 */
export async function bisect(
  workspace: Workspace,
  options: BisectOptions,
  watcher: BisectWatcher = {},
): Promise<BisectResult> {
  const [collector] = options.job.collectors;
  const column = comparedColumn(options.of, collector?.name ?? "");
  const history = await bisectHistory(workspace, options);
  const gauge = new VersionProbe(workspace, options.job, column, watcher);
  const { line } = history;
  const journal = new SearchJournal(workspace, searchFacts(options, line), options.resume);
  let isOver = false;
  try {
    const result = await new Bisection({ workspace, options, history, probe: gauge, journal, watcher }).run();
    isOver = result.outcome !== "stopped";
    return result;
  } finally {
    journal.end(isOver);
  }
}

/** Identifies the search for resuming; the budget is not part of it. */
function searchFacts({ job, of, reuse }: BisectOptions, line: VersionLine): unknown {
  const collectors = job.collectors.map(({ name, params }) => [name, [...params]]);
  return [
    line,
    job.cmds,
    job.workloads,
    collectors,
    job.preRun ?? null,
    job.warmup ?? null,
    job.pin ?? null,
    of ?? null,
    reuse,
  ];
}

interface SearchContext {
  readonly workspace: Workspace;
  readonly options: BisectOptions;
  readonly history: BisectHistory;
  readonly probe: VersionProbe;
  readonly journal: SearchJournal;
  readonly watcher: BisectWatcher;
}

class Bisection {
  readonly #context: SearchContext;
  readonly #measurements: VersionMeasurement[] = [];
  readonly #skipped = new Map<VersionId, string>();
  readonly #startedMs: number;
  readonly #searched = new Set<VersionId>();
  #earlier = 0;
  #made = 0;

  constructor(context: SearchContext) {
    this.#context = context;
    this.#startedMs = context.workspace.world.now();
  }

  async run(): Promise<BisectResult> {
    const { history, journal, options } = this.#context;
    for (const record of journal.load()) this.#learn(record);
    this.#made = this.#measurements.length;
    this.#earlier = this.#made;
    const { line, graph } = history;
    const ends = { good: line[0]!, bad: line.at(-1)!, confidence: options.confidence };
    const ending = await searchNested(graph, ends, (each, confidence) => this.#search(each, confidence));
    return this.#resultOf(ending);
  }

  /** Adds registered profiles as measurements if requested. */
  async #recall(line: VersionLine): Promise<void> {
    const { options, probe: gauge } = this.#context;
    const known = new Set(this.#measurements.map(({ profile }) => profile));
    const found: VersionMeasurement[] = [];
    for (const version of options.reuse ? line : [])
      for (const one of await gauge.known(version)) if (!known.has(one.profile)) found.push(one);
    this.#measurements.push(...found);
    this.#earlier += found.length;
  }

  async #search(line: VersionLine, confidence: number): Promise<LineEnding> {
    const isMainline = this.#searched.size === 0;
    await this.#recall(line.filter((version) => !this.#searched.has(version)));
    for (const version of line) this.#searched.add(version);
    try {
      return await this.#searchLine(line, confidence);
    } catch (error) {
      if (isMainline || !isFailure(error, "bisect-end-unmeasurable")) throw error;
      return { kind: "unmeasurable", line, suspects: [allCandidates(line)] };
    }
  }

  async #searchLine(line: VersionLine, confidence: number): Promise<LineEnding> {
    const maxEndMeasurements = Math.max(2, Math.floor(this.#context.options.mostRuns * shareOfEnds));
    for (;;) {
      const evidence = this.#evidence(line);
      const next = nextMove(evidence, { confidence, maxEndMeasurements });
      if (next.kind === "found") return { kind: "found", line, suspects: [next.suspects] };
      if (next.kind === "alike") return { kind: "alike", line, suspects: [allCandidates(line)] };
      if (this.#isSpent()) return { kind: "stopped", line, suspects: currentSuspects(evidence, confidence) };
      await this.#measure(line, next.position);
    }
  }

  async #measure(line: VersionLine, position: number): Promise<void> {
    const { probe: gauge, watcher } = this.#context;
    const version = line[position]!;
    const measured = await gauge.measure(version);
    this.#made += 1;
    if (measured instanceof Failure) {
      const isEnd = position === 0 || position === line.length - 1;
      if (isEnd) throw new Failure("bisect-end-unmeasurable", { version, reason: measured.message }, measured);
      watcher.skipped?.(version, measured);
      this.#note({ version, reason: measured.message });
    } else {
      this.#note(measured);
      watcher.measured?.(measured, this.#made);
    }
  }

  #note(record: SearchRecord): void {
    this.#context.journal.add(record);
    this.#learn(record);
  }

  #learn(record: SearchRecord): void {
    if ("value" in record) this.#measurements.push(record);
    else this.#skipped.set(record.version, record.reason);
  }

  #isSpent(): boolean {
    const { options, workspace } = this.#context;
    const seconds = (workspace.world.now() - this.#startedMs) / 1000;
    return this.#made >= options.mostRuns || seconds >= (options.timeoutSeconds ?? Number.POSITIVE_INFINITY);
  }

  #evidence(line: VersionLine): Evidence {
    const positions = new Map(line.map((version, position) => [version, position]));
    const at = (version: VersionId): number[] => (positions.has(version) ? [positions.get(version)!] : []);
    return {
      last: line.length - 1,
      measurements: this.#measurements.flatMap(({ version, value }) =>
        at(version).map((position) => ({ position, value })),
      ),
      skipped: new Set([...this.#skipped.keys()].flatMap(at)),
    };
  }

  #resultOf({ kind, suspects, probability, merges, found, obstacle }: NestedEnding): BisectResult {
    const { history, options } = this.#context;
    const step =
      kind === "stopped" || found === undefined ? null : stepAt(this.#evidence(found.line), found.suspects[0]!);
    return {
      outcome: kind,
      good: history.line[0]!,
      bad: history.line.at(-1)!,
      candidates: history.candidates,
      mainline: history.line.length - 1,
      suspects: suspects.map((one) => ({ ...one, subject: this.#subjectOf(one.version) })),
      probability,
      merge: merges[0] ?? null,
      merges,
      obstacle,
      unit: this.#measurements[0]?.unit ?? "",
      step: step && withoutDeviations(step),
      measurements: this.#measurements,
      skipped: [...this.#skipped].map(([version, reason]) => ({ version, reason })),
      earlier: this.#earlier,
      plain:
        step === null || !(step.deviations > 0)
          ? null
          : binarySearchCost(history.candidates, step.deviations, options.confidence),
    };
  }

  #subjectOf(version: VersionId): string {
    return this.#context.history.versionOf(version).description.split("\n", 1)[0] ?? "";
  }
}

function withoutDeviations({ deviations: _, ...step }: Step): Omit<Step, "deviations"> {
  return step;
}

function allCandidates(line: VersionLine): Suspects {
  return { from: 1, to: line.length - 1, probability: 1 };
}

function currentSuspects(evidence: Evidence, confidence: number): readonly Suspects[] {
  if (!endsDiffer(evidence)) return [{ from: 1, to: evidence.last, probability: 1 }];
  return credibleGroups(suspectsOf(evidence), confidence);
}
