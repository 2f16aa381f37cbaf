import type { VersionId } from "../versions/digest.ts";
import type { VerdictOutcome } from "../verdicts/verdict.ts";

/** What a report or the dashboard begins with; small, whatever is behind it. Its text form is JSON. */
export interface Overview {
  readonly schema: "perfkeep.overview/1";
  /** What people call the project: the name of its folder. */
  readonly project: string;
  /** The versions that are looked at, in the user's words; empty: all of history. */
  readonly range: string;
  /** Version of the program. */
  readonly program: string;
  /** Unix seconds. */
  readonly made: number;
  readonly totals: Readonly<
    Record<"versions" | "measured" | "profiles" | "series" | "points" | "experiments" | "runs", number>
  >;
  /** Present: history is being judged, and this is what was known before; nothing of it in what a file holds. */
  readonly judging?: true;
  /** How many series there are of each word. */
  readonly words: Readonly<Record<VerdictOutcome, number>>;
  /** The most important ones, worst first, then the best; at most a hundred. */
  readonly changes: readonly ChangeLine[];
  /** Of the newest measured version: machine, system, versions of tools. */
  readonly environment: readonly (readonly [name: string, value: string])[];
  readonly experiments: readonly ExperimentLine[];
  /** Remarks for people, a line each. */
  readonly notes: readonly string[];
}

/** A change, as lists show it. */
export interface ChangeLine {
  /** Place in the list of all series. */
  readonly series: number;
  readonly key: string;
  readonly benchmark: string;
  readonly metric: string;
  /** `ms`; empty: a plain number. */
  readonly unit: string;
  readonly word: VerdictOutcome;
  /** after / before - 1, with the ends of its interval. */
  readonly delta: number | null;
  readonly deltaLow: number | null;
  readonly deltaHigh: number | null;
  readonly p: number | null;
  readonly q: number | null;
  readonly since: ChangeRange | null;
  /** What somebody decided about it (`core/triage.ts`). */
  readonly triage: string | null;
  /** At most sixty of its values, the newest last, for a small picture. */
  readonly spark: readonly number[];
}

/** A change lies behind `before` up to and with `after`. */
export interface ChangeRange {
  readonly before: VersionId | null;
  readonly after: VersionId;
  readonly suspects: number;
  /** First line of the message of `after`. */
  readonly subject: string;
}

export interface ExperimentLine {
  readonly name: string;
  readonly synopsis: string;
  readonly runs: number;
  readonly dataSets: number;
}
