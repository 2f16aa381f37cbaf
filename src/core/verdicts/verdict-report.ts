import type { TriagedVerdict } from "./triage.ts";

/** The outcome of a complete check; inconclusive: not enough data, which is not a success. */
export type CheckOutcome = "fine" | "worse" | "inconclusive";

/** The report of a check for other programs. */
export interface VerdictReport {
  /** The checked command: `check series main~10..main`. A report replaces earlier ones with its title. */
  readonly title: string;
  readonly outcome: CheckOutcome;
  readonly verdicts: readonly TriagedVerdict[];
  /** Notes for users, a line each. */
  readonly notes: readonly string[];
}

/** An output format of reports. */
export interface VerdictOutput {
  /** The name for `--format`. */
  readonly name: string;
  /** File name extension. */
  readonly extension: string;
  render(report: VerdictReport): string;
}
