import type { Outcome } from "../../plugins/collectors/collector.ts";

/** A source line with its execution count. */
export interface HotLine {
  readonly file: string;
  readonly line: number;
  readonly count: number;
}

/** Effort of one run of the program. */
export interface Effort {
  readonly amount: number;
  /** The most executed lines in descending order; empty if lines are not counted. */
  readonly hot: readonly HotLine[];
}

/** Estimates the effort of a run cheaply, to select the mutations worth measuring and mutating further. */
export interface Gauge {
  readonly kind: "coverage" | "time";
  readonly unit: string;
  /** True if deterministic; otherwise a high value must be confirmed by another run. */
  readonly isExact: boolean;
  /** Call before each run. */
  reset(): void;
  /** Call after the run. Fails with `coverage-unreadable`. */
  effort(outcome: Outcome): Promise<Effort>;
}

/** CPU time if known, else wall-clock time. */
export const timeGauge: Gauge = Object.freeze<Gauge>({
  kind: "time",
  unit: "s",
  isExact: false,
  reset: () => {},
  effort: async ({ userSeconds, systemSeconds, wallNanoseconds }) => {
    const seconds = userSeconds + systemSeconds;
    return { amount: Number.isFinite(seconds) ? seconds : Number(wallNanoseconds) / 1e9, hot: [] };
  },
});
