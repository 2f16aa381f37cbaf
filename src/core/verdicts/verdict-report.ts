import type { TriagedVerdict } from "./triage.ts";

/** What a check came to as a whole; inconclusive: nothing could be said, which is no success. */
export type CheckOutcome = "fine" | "worse" | "inconclusive";

/** All that a check found, as other programs are told of it. */
export interface VerdictReport {
  /** What was checked: `check series main~10..main`. Reports of one title replace each other. */
  readonly title: string;
  readonly outcome: CheckOutcome;
  readonly verdicts: readonly TriagedVerdict[];
  /** Remarks for people, a line each. */
  readonly notes: readonly string[];
}

/** A form in which a report is written. */
export interface VerdictOutput {
  /** The word for `--format`. */
  readonly name: string;
  /** Ending that files of it have. */
  readonly extension: string;
  render(report: VerdictReport): string;
}
