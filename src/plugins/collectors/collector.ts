import type { JsonObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import type { Values } from "../../core/value.ts";
import type { PluginInfo } from "../plugin.ts";

/** What is to be measured. Strings come from configuration or the command line and are split without a shell. */
export interface Job {
  readonly cmd: string;
  readonly workload: string;
  /** Directory the command runs in: the user's tree or a worktree of another version. */
  readonly directory: string;
  readonly params: Values;
  readonly machine: JsonObject;
}

/** What a collector needs of the world; the fake one pretends that time passes. */
export interface Shell {
  /**
   * Runs `argv` to its end in `directory`. Never through a shell. Fails with `command-not-found`, `command-timed-out` and `interrupted`; a non-zero
   * exit is an outcome, not a failure. The program has a process group of its own; what is left of it when the program ends is killed.
   */
  run(argv: readonly string[], options: ShellOptions): Promise<Outcome>;
  /** Absolute path of a program on PATH, or null. */
  which(program: string): Promise<string | null>;
}

export interface ShellOptions {
  readonly directory: string;
  readonly timeoutSeconds?: number;
  /** Kept bytes of stdout and stderr each (default 1 MiB); the rest is read and dropped. */
  readonly captureLimit?: number;
  readonly input?: Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * How an outcome was measured. wait4: by a tiny launcher, wall clock in nanoseconds around fork and wait, CPU in microseconds, exact peak; perl-wait4:
 * the same through Perl; procfs: wall clock of this process, CPU in ticks of 10 ms, peak as last seen while it ran; none: wall clock only.
 */
export type Clock = "wait4" | "perl-wait4" | "procfs" | "none";

/** How one process ended. */
export interface Outcome {
  /** Exit status, or null when a signal ended it. */
  readonly status: number | null;
  /** Name of the signal, or null. */
  readonly signal: string | null;
  readonly clock: Clock;
  readonly wallNanoseconds: bigint;
  /** CPU time of the program and of the children it waited for; NaN where this machine cannot tell. */
  readonly userSeconds: number;
  readonly systemSeconds: number;
  /** Largest resident set of the program or of a child it waited for; NaN where this machine cannot tell. */
  readonly peakBytes: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** True when output was dropped. */
  readonly truncated: boolean;
}

/** How an outcome reads in a message: `exited with status 3`, `was ended by SIGSEGV`. */
export function endingOf(outcome: Outcome): string {
  return outcome.signal === null ? `exited with status ${outcome.status}` : `was ended by ${outcome.signal}`;
}

/** The last line that is not blank, for messages; at most 200 characters. */
export function lastLine(bytes: Uint8Array): string {
  const lines = new TextDecoder().decode(bytes.subarray(-4096)).split(/[\r\n]+/);
  return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, 200);
}

/** A way to measure a program. */
export interface Collector extends PluginInfo {
  readonly kind: "collector";
  /** `time`, `memory` or `mixed`: the type of the profiles it makes. */
  readonly profileType: "time" | "memory" | "mixed";
  /** Fails with `tool-missing` when what it needs is not on this machine. Called once before a batch. */
  prepare(shell: Shell): Promise<void>;
  /** Measures once. `progress` hears 0..1. The run has no origin; the caller knows it. Fails with `command-failed`. */
  collect(job: Job, shell: Shell, progress?: (done: number) => void): Promise<Run>;
}
