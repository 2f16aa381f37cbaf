import { type Job, type Outcome, outputLimit, type Shell, type ShellOptions } from "./collector.ts";

/** What is to be counted. */
export interface CountingPlan {
  /** None: instructions, and what `cache` and `branches` ask for. */
  readonly events: readonly string[];
  readonly cache: boolean;
  readonly branches: boolean;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
}

/** A command and where it is measured; `folder` is empty and goes away afterwards. */
export interface Counting {
  readonly argv: readonly string[];
  readonly job: Job;
  readonly shell: Shell;
  readonly plan: CountingPlan;
  readonly folder: string;
}

/** How often an event happened in one run. */
export interface Count {
  /** In words: `instructions`. */
  readonly event: string;
  /** What the tool calls it. */
  readonly name: string;
  readonly amount: number;
  /** As headers of profiles have it: `event`, or `ms`. */
  readonly unit: string;
  /** Percent of the time in which it was counted; the amount is an estimate where it is below 100. */
  readonly percent: number;
}

export interface CountingEngine {
  readonly name: string;
  readonly tool: "perf" | "valgrind";
  /**
   * Runs the command once. Fails with `command-failed` unless that is allowed, and with `untraceable` when nothing was
   * counted.
   */
  count(counting: Counting): Promise<{ readonly outcome: Outcome; readonly counts: readonly Count[] }>;
}

export function limitsOf({ timeout }: CountingPlan, { directory }: Job): ShellOptions {
  return { directory, captureLimit: outputLimit, ...(timeout === null ? {} : { timeoutSeconds: timeout }) };
}

/** How the command reads in messages. */
export function commandOf({ cmd, workload }: Job): string {
  return `'${`${cmd} ${workload}`.trim()}'`;
}
