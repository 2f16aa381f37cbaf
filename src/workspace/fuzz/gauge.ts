import type { Outcome } from "../../plugins/collectors/collector.ts";

/** A line of source by how often it was executed. */
export interface HotLine {
  readonly file: string;
  readonly line: number;
  readonly count: number;
}

/** How much one run of the program did. */
export interface Effort {
  readonly amount: number;
  /** The lines executed most, in descending order; empty where lines are not counted. */
  readonly hot: readonly HotLine[];
}

/**
 * Says how much one run did, cheaply: by this it is decided which mutations are worth measuring and varying further.
 */
export interface Gauge {
  readonly kind: "coverage" | "time";
  readonly unit: string;
  /** The same run always gives the same amount; otherwise a high one is not believed before it was seen again. */
  readonly isExact: boolean;
  /** Called before each run. */
  reset(): void;
  /** Called after it. Fails with `coverage-unreadable`. */
  effort(outcome: Outcome): Promise<Effort>;
}

/** CPU time where the machine tells it, else wall clock. */
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
