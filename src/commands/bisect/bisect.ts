import type { VersionId } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { endsDiffer } from "../../query/bisect/ends.ts";
import type { Evidence } from "../../query/bisect/evidence.ts";
import { credibleGroups, nextMove, suspectsOf, type Suspects, binarySearchCost } from "../../query/bisect/next-move.ts";
import { stepAt, type Step } from "../../query/bisect/step.ts";
import type { JobWatcher } from "../../workspace/jobs/ledger.ts";
import { SearchJournal, type SearchRecord } from "../../workspace/verdicts/journals.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { bisectHistory, type BisectHistory, type VersionLine } from "./history.ts";
import { VersionGauge, type BisectJob, type VersionMeasurement } from "./measurement.ts";
import { comparedColumn } from "./measured-value.ts";

export interface BisectOptions {
  /** Revisions: one from before the change, and one that has it. */
  readonly good: string;
  readonly bad: string;
  readonly job: BisectJob;
  /** The number of a profile that is compared, `COLUMN:STATISTIC[:CONDITIONS]`; by the collector without it. */
  readonly of?: string;
  /** Probability with which the version is to be known, between 0.5 and 1. */
  readonly confidence: number;
  readonly mostRuns: number;
  /** No measurement begins after so long. */
  readonly timeoutSeconds?: number;
  /** Profiles that are registered already count as measurements. */
  readonly reuse: boolean;
  readonly resume: boolean;
}

/**
 * A version that may have made the change; those that cannot be told from it, as what lies between cannot be measured,
 * share the probability.
 */
export interface BisectSuspect {
  readonly version: VersionId;
  readonly subject: string;
  readonly probability: number;
}

export interface BisectResult {
  /**
   * found: one version made it. narrowed: one of several did. alike: the ends do not differ. stopped: the budget was
   * used up.
   */
  readonly outcome: "found" | "narrowed" | "alike" | "stopped";
  readonly good: VersionId;
  readonly bad: VersionId;
  /** How many versions it could have been. */
  readonly candidates: number;
  /** The most probable first. All together have `probability`. */
  readonly suspects: readonly BisectSuspect[];
  readonly probability: number;
  /** The merge within which it was searched on, if it was. */
  readonly merge: VersionId | null;
  readonly unit: string;
  /** null: nothing differs. */
  readonly step: Omit<Step, "deviations"> | null;
  readonly measurements: readonly VersionMeasurement[];
  readonly skipped: readonly { readonly version: VersionId; readonly reason: string }[];
  /** How many of the measurements were made before: by the run that was resumed, or in earlier profiles. */
  readonly earlier: number;
  /**
   * What binary search with as much certainty, at the same noise, would have measured; null where nothing was found.
   */
  readonly plain: { readonly repetitions: number; readonly measurements: number } | null;
}

/** Who watches hears of each measurement and of what cannot be measured. */
export interface BisectWatcher extends JobWatcher {
  measured?(measurement: VersionMeasurement, count: number): void;
  skipped?(version: VersionId, failure: Failure): void;
}

/** Ends that differ by less than the noise are given up after this share of the measurements for each. */
const shareOfEnds = 0.25;

/**
 * Finds the version that changed a number. Each measurement is one profile, made in a worktree and registered. Fails
 * with `bisect-ends`, `bisect-end-unmeasurable`, `interrupted`, and as `runJob` does.
 */
export async function bisect(
  workspace: Workspace,
  options: BisectOptions,
  watcher: BisectWatcher = {},
): Promise<BisectResult> {
  const [collector] = options.job.collectors;
  const column = comparedColumn(options.of, collector?.name ?? "");
  const history = await bisectHistory(workspace, options);
  const gauge = new VersionGauge(workspace, options.job, column, watcher);
  const { line } = history;
  const journal = new SearchJournal(workspace, searchFacts(options, line), options.resume);
  let isOver = false;
  try {
    const result = await new Bisection({ workspace, options, history, gauge, journal, watcher }).run();
    isOver = result.outcome !== "stopped";
    return result;
  } finally {
    journal.end(isOver);
  }
}

/** What decides what is measured; another budget is no other search. */
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
  readonly gauge: VersionGauge;
  readonly journal: SearchJournal;
  readonly watcher: BisectWatcher;
}

/** How a search in one line ended. */
interface Ending {
  readonly kind: "found" | "alike" | "stopped";
  readonly line: VersionLine;
  /** Those among which the version is with the wanted confidence; all where nothing is known. */
  readonly suspects: readonly Suspects[];
}

class Bisection {
  readonly #parts: SearchContext;
  readonly #measurements: VersionMeasurement[] = [];
  readonly #skipped = new Map<VersionId, string>();
  readonly #began: number;
  #earlier = 0;
  #made = 0;

  constructor(parts: SearchContext) {
    this.#parts = parts;
    this.#began = parts.workspace.world.now();
  }

  async run(): Promise<BisectResult> {
    const { history, journal } = this.#parts;
    for (const record of journal.load()) this.#learn(record);
    this.#made = this.#measurements.length;
    await this.#recall(history.line);
    const whole = await this.#search(history.line);
    const inside = await this.#searchInside(whole);
    return this.#resultOf(inside ?? whole, inside === null ? null : whole.line[whole.suspects[0]!.to]!);
  }

  /** What was registered before counts, too, where that is wanted. */
  async #recall(line: VersionLine): Promise<void> {
    const { options, gauge } = this.#parts;
    const known = new Set(this.#measurements.map(({ profile }) => profile));
    for (const version of options.reuse ? line : [])
      for (const one of await gauge.known(version)) if (!known.has(one.profile)) this.#measurements.push(one);
    this.#earlier = this.#measurements.length;
  }

  async #search(line: VersionLine): Promise<Ending> {
    const { confidence, mostRuns } = this.#parts.options;
    for (;;) {
      const evidence = this.#evidence(line);
      const move = nextMove(evidence, { confidence, maxEndMeasurements: Math.max(2, Math.floor(mostRuns * shareOfEnds)) });
      if (move.kind === "found") return { kind: "found", line, suspects: [move.suspects] };
      if (move.kind === "alike") return { kind: "alike", line, suspects: [allOf(line)] };
      if (this.#isSpent()) return { kind: "stopped", line, suspects: currentSuspects(evidence, confidence) };
      await this.#measure(line, move.place);
    }
  }

  /**
   * A merge that made the change is looked into: the ends are then where its branch began and the merge. Where that
   * tells nothing the merge stands.
   */
  async #searchInside({ kind, line, suspects: [suspects] }: Ending): Promise<Ending | null> {
    if (kind !== "found" || suspects === undefined || suspects.from !== suspects.to) return null;
    const inside = this.#parts.history.insideOf(line[suspects.to]!);
    if (inside === null) return null;
    try {
      await this.#recall(inside.filter((version) => !line.includes(version)));
      const ending = await this.#search(inside);
      return ending.kind === "found" ? ending : null;
    } catch (error) {
      if (isFailure(error, "bisect-end-unmeasurable")) return null;
      throw error;
    }
  }

  async #measure(line: VersionLine, place: number): Promise<void> {
    const { gauge, watcher } = this.#parts;
    const version = line[place]!;
    const measured = await gauge.measure(version);
    this.#made += 1;
    if (measured instanceof Failure) {
      const isEnd = place === 0 || place === line.length - 1;
      if (isEnd) throw new Failure("bisect-end-unmeasurable", { version, reason: measured.message }, measured);
      watcher.skipped?.(version, measured);
      this.#note({ version, reason: measured.message });
    } else {
      this.#note(measured);
      watcher.measured?.(measured, this.#made);
    }
  }

  #note(record: SearchRecord): void {
    this.#parts.journal.add(record);
    this.#learn(record);
  }

  #learn(record: SearchRecord): void {
    if ("value" in record) this.#measurements.push(record);
    else this.#skipped.set(record.version, record.reason);
  }

  #isSpent(): boolean {
    const { options, workspace } = this.#parts;
    const seconds = (workspace.world.now() - this.#began) / 1000;
    return this.#made >= options.mostRuns || seconds >= (options.timeoutSeconds ?? Number.POSITIVE_INFINITY);
  }

  #evidence(line: VersionLine): Evidence {
    const positions = new Map(line.map((version, position) => [version, position]));
    const at = (version: VersionId): number[] => (positions.has(version) ? [positions.get(version)!] : []);
    return {
      last: line.length - 1,
      measurements: this.#measurements.flatMap(({ version, value }) => at(version).map((position) => ({ position, value }))),
      skipped: new Set([...this.#skipped.keys()].flatMap(at)),
    };
  }

  #resultOf({ kind, line, suspects }: Ending, merge: VersionId | null): BisectResult {
    const { history } = this.#parts;
    const { versionOf } = history;
    const named = suspects.flatMap(({ from, to, probability }) =>
      line
        .slice(from, to + 1)
        .map((version) => ({ version, subject: versionOf(version).description.split("\n", 1)[0] ?? "", probability })),
    );
    const step = kind === "found" ? stepAt(this.#evidence(line), suspects[0]!) : null;
    return {
      outcome: kind === "found" && named.length > 1 ? "narrowed" : kind,
      good: history.line[0]!,
      bad: history.line.at(-1)!,
      candidates: history.line.length - 1,
      suspects: kind === "alike" ? [] : named,
      probability: kind === "alike" ? 0 : suspects.reduce((sum, one) => sum + one.probability, 0),
      merge,
      unit: this.#measurements[0]?.unit ?? "",
      step: step && withoutDeviations(step),
      measurements: this.#measurements,
      skipped: [...this.#skipped].map(([version, reason]) => ({ version, reason })),
      earlier: this.#earlier,
      plain:
        step === null || !(step.deviations > 0)
          ? null
          : binarySearchCost(history.line.length - 1, step.deviations, this.#parts.options.confidence),
    };
  }
}

function withoutDeviations({ deviations: _, ...step }: Step): Omit<Step, "deviations"> {
  return step;
}

function allOf(line: VersionLine): Suspects {
  return { from: 1, to: line.length - 1, probability: 1 };
}

function currentSuspects(evidence: Evidence, confidence: number): readonly Suspects[] {
  if (!endsDiffer(evidence)) return [{ from: 1, to: evidence.last, probability: 1 }];
  return credibleGroups(suspectsOf(evidence), confidence);
}
