import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { causeLine, quoteCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { ParsedRun } from "../../core/experiments/index.ts";
import type { JsonObject, Settings, Values } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { PluginInfo } from "../plugin.ts";

/** What to measure. Strings come from configuration or the command line and are split without a shell. */
export interface Job {
  readonly cmd: string;
  readonly workload: string;
  /** Directory the command runs in: the user's tree or a worktree of another commit. */
  readonly directory: string;
  readonly params: Values;
  readonly machine: JsonObject;
  /** Absent when output cannot be parsed. */
  readonly reader?: OutputReader;
}

/**
 * How to parse output: by an experiment and an input description (paths of text or XML files), or by a known format:
 * its name, or `auto` to detect it from the first bytes, with its options. `path` is used in messages.
 */
export type OutputForm =
  | { readonly experiment: string; readonly input: string }
  | { readonly from: string; readonly options: Settings; readonly path: string };

/**
 * Parses the runs in a program's output. Fails with `description-error`, `nothing-found`, `unknown-report-format` and
 * any other failure of an importer.
 */
export type OutputReader = (output: Uint8Array, form: OutputForm) => Promise<readonly ParsedRun[]>;

/** The side effects a collector may use; tests use a fake. */
export interface Shell {
  /**
   * Runs `argv` in `directory`, never through a shell, and waits for it. The program gets its own process group, whose
   * remaining processes are killed when it exits. Fails with `command-not-found`, `command-timed-out` and
   * `interrupted`; a non-zero exit status is not a failure.
   */
  run(argv: readonly string[], options: ShellOptions): Promise<Outcome>;
  /** Absolute path of a program on PATH, or null. */
  which(program: string): Promise<string | null>;
  /**
   * Path of a shared library built from a C source shipped with this program; compiled on first use. Fails with
   * `tool-missing`.
   */
  library(source: string): Promise<string>;
  /** Path of a file or folder shipped with this program in `assets`. */
  shipped(name: string): Promise<string>;
}

export interface ShellOptions {
  readonly directory: string;
  readonly timeoutSeconds?: number;
  /** Maximum captured bytes of stdout and stderr each (default 1 MiB); the rest is discarded. */
  readonly captureLimit?: number;
  readonly input?: Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** A shared library to preload into the program and its child processes. */
  readonly preload?: string;
  /**
   * Name of a script shipped with this program to preload into Node.js, if the program is or starts it.
   */
  readonly nodeModule?: string;
  /** Receives stdout in chunks instead of capturing it. An exception stops the program and is rethrown. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** CPUs the program may use, in taskset(1) syntax: `2`, `0-3,6`. Requires taskset. */
  readonly processors?: string;
}

/**
 * How an outcome was measured. wait4: by a small launcher, with wall clock in nanoseconds around fork and wait, CPU in
 * microseconds, exact peak; perl-wait4: the same in Perl; procfs: wall clock of this process, CPU in ticks of 10 ms,
 * peak as last sampled; none: wall clock only.
 */
export type Clock = "wait4" | "perl-wait4" | "procfs" | "none";

/** How one process ended. */
export interface Outcome {
  /** Exit status, or null when a signal terminated it. */
  readonly status: number | null;
  /** Name of the signal, or null. */
  readonly signal: string | null;
  readonly clock: Clock;
  readonly wallNanoseconds: bigint;
  /** CPU time of the program and the children it waited for; NaN if unavailable. */
  readonly userSeconds: number;
  readonly systemSeconds: number;
  /** Peak resident set of the program or of a child it waited for; NaN if unavailable. */
  readonly peakBytes: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** True when output was discarded. */
  readonly truncated: boolean;
}

/** Describes an outcome in messages: `exited with status 3`, `was ended by SIGSEGV`. */
export function endingOf(outcome: Outcome): string {
  return outcome.signal === null ? `exited with status ${outcome.status}` : `was ended by ${outcome.signal}`;
}

/** The last non-blank line, for messages; at most 200 characters. */
export function lastLine(bytes: Uint8Array): string {
  const lines = new TextDecoder().decode(bytes.subarray(-4096)).split(/[\r\n]+/);
  return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, 200);
}

/** Maximum bytes of stdout and of stderr that profiles record. */
export const outputLimit: number = 64 << 10;

/** Fails with `command-failed` unless the job's program exited with 0. */
export function requireSuccess(outcome: Outcome, job: Job): void {
  if (outcome.status === 0) return;
  const command = `${job.cmd} ${job.workload}`.trim();
  throw new Failure("command-failed", { command, ending: endingOf(outcome), last: causeLine(outcome.stderr) });
}

/**
 * Fails with `command-not-found` unless the program exists. Used where a tool starts it, since each tool reports a
 * missing program differently.
 */
export async function requireProgram(
  [program = "", ...words]: readonly string[],
  { directory }: Job,
  shell: Shell,
): Promise<void> {
  const exists = program.includes("/")
    ? isExecutable(resolve(directory, program))
    : (await shell.which(program)) !== null;
  if (exists) return;
  throw new Failure("command-not-found", {
    command: quoteCommand([program, ...words]),
    directory,
    reason: "no such program",
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** An option of a collector. */
export function collectorOption(
  name: string,
  type: Variable["type"],
  value: Variable["default"],
  synopsis: string,
): Variable {
  return {
    name,
    role: "parameter",
    occurrence: "once",
    type,
    ...(value === undefined ? {} : { default: value }),
    synopsis,
  };
}

/** An integer option between `minimum` and `maximum`. Fails with `bad-collector-option`. */
export function countOf(
  plugin: string,
  params: Values,
  name: string,
  fallback: number,
  minimum: number,
  maximum: number,
): number {
  const value = params.get(name) ?? fallback;
  if (typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  const expected = `an integer from ${minimum} to ${maximum}`;
  throw new Failure("bad-collector-option", {
    plugin,
    option: name,
    value: String(value),
    expected,
    example: String(fallback),
  });
}

/** A way to measure a program. */
export interface Collector extends PluginInfo {
  readonly kind: "collector";
  /** Type of the profiles it creates. */
  readonly profileType: "time" | "memory" | "mixed";
  /**
   * Checks the requirements of these options. Called once per batch and set of options. Fails with `tool-missing`.
   */
  prepare(shell: Shell, params?: Values): Promise<void>;
  /**
   * Measures once. `progress` receives 0..1, `notice` a line for the user about how it was measured. The caller adds
   * the run's origin. Fails with `command-failed`.
   */
  collect(job: Job, shell: Shell, progress?: (done: number) => void, notice?: (text: string) => void): Promise<Run>;
  /**
   * Prepares `collect`, such as an instrumented build in the job's tree. All phases of a measurement receive the same
   * job.
   */
  before?(job: Job, shell: Shell): Promise<void>;
  /** Transforms the run after the program has ended. */
  after?(run: Run, job: Job, shell: Shell): Promise<Run>;
  /**
   * Undoes what the other phases did. Runs once per measurement, also after a failure or an interrupt.
   */
  teardown?(job: Job, shell: Shell): Promise<void>;
}
