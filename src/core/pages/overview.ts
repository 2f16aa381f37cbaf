import type { VersionId } from "../versions/index.ts";
import type { VerdictOutcome } from "../verdicts/index.ts";

/** The first page of a report or the dashboard, of bounded size. Encoded as JSON. */
export interface Overview {
  readonly schema: "perfkeep.overview/2";
  /** Name of the project: its folder. */
  readonly project: string;
  /** The selected commits, as given by the user; empty: the complete history. */
  readonly range: string;
  /** Version of the program. */
  readonly program: string;
  /** ISO 8601 in UTC, whole seconds. */
  readonly generatedAt: string;
  readonly totals: Readonly<
    Record<"commits" | "measured" | "profiles" | "series" | "points" | "experiments" | "runs", number>
  >;
  /** Present: the history is still being evaluated and this is the previous state. Never in files. */
  readonly judging?: true;
  /** Number of changes by outcome; `same`: of series without any. */
  readonly outcomes: Readonly<Record<VerdictOutcome, number>>;
  /** Number of inconclusive series without enough points to be judged. */
  readonly unjudged: number;
  /** At most a hundred changes: the worst first, then the best; those of a group together. */
  readonly changes: readonly ChangeLine[];
  /** Changes of several series with suspects in common. */
  readonly groups: readonly ChangeGroupLine[];
  /** Machine, system and tool versions of the newest measured commit. */
  readonly environment: readonly (readonly [name: string, value: string])[];
  readonly experiments: readonly ExperimentLine[];
  /** The address of commits on their forge, without the id; absent: unknown. */
  readonly commitUrl?: string;
  /** Notes for users, a line each. */
  readonly notes: readonly string[];
}

/** A change in lists. */
export interface ChangeLine {
  /** Index into the list of all series. */
  readonly series: number;
  readonly key: string;
  readonly benchmark: string;
  readonly metric: string;
  /** `ms`; empty: a plain number. */
  readonly unit: string;
  readonly outcome: VerdictOutcome;
  /** after / before - 1, and its interval. */
  readonly delta: number | null;
  readonly deltaLow: number | null;
  readonly deltaHigh: number | null;
  readonly p: number | null;
  readonly q: number | null;
  readonly since: ChangeRange | null;
  /** Index of its group; null: it is in none. */
  readonly group: number | null;
  /** The triage state (`core/verdicts/triage.ts`). */
  readonly triage: string | null;
  /** The newest value. */
  readonly latest: number | null;
  /** At most sixty of its values around the change, the newest last, or medians of neighbours, for a sparkline. */
  readonly spark: readonly number[];
}

/** Changes of several series that may have one cause. */
export interface ChangeGroupLine {
  /** Where most of them changed. */
  readonly after: VersionId;
  /** First line of the message of `after`. */
  readonly subject: string;
  /** Number of suspects that all of them have. */
  readonly suspects: number;
  readonly worse: number;
  readonly better: number;
}

/** The commits of a change: after `before`, up to and including `after`. */
export interface ChangeRange {
  readonly before: VersionId | null;
  readonly after: VersionId;
  readonly suspects: number;
  /** First line of the message of `after`. */
  readonly subject: string;
  /** Committer date of `after`, ISO 8601 in UTC; null: unknown. */
  readonly date: string | null;
}

export interface ExperimentLine {
  readonly name: string;
  readonly synopsis: string;
  readonly runs: number;
  readonly rows: number;
}
