import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { quoteCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { ParsedRun } from "../../core/experiments/parsed-run.ts";
import { JsonNumber, jsonObject, type JsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Settings } from "../../core/values/setting.ts";
import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { PluginInfo } from "../plugin.ts";

/** What is to be measured. Strings come from configuration or the command line and are split without a shell. */
export interface Job {
  readonly cmd: string;
  readonly workload: string;
  /** Directory the command runs in: the user's tree or a worktree of another version. */
  readonly directory: string;
  readonly params: Values;
  readonly machine: JsonObject;
  /** Absent where nothing can be read. */
  readonly reader?: OutputReader;
}

/**
 * How output is read: by the files of an experiment and of an input description, text or XML, or by a format that is
 * known by itself: its name, or `auto` for the one that the first bytes tell, with its options. `path` stands in
 * messages.
 */
export type OutputForm =
  | { readonly experiment: string; readonly input: string }
  | { readonly from: string; readonly options: Settings; readonly path: string };

/**
 * Finds runs in what a program wrote. Fails with `description-error`, `nothing-found`, `unknown-report-format` and what
 * else reading may fail with.
 */
export type OutputReader = (output: Uint8Array, form: OutputForm) => Promise<readonly ParsedRun[]>;

/** What a collector needs of the world; the fake one pretends that time passes. */
export interface Shell {
  /**
   * Runs `argv` to its end in `directory`. Never through a shell. Fails with `command-not-found`, `command-timed-out`
   * and `interrupted`; a non-zero exit is an outcome, not a failure. The program has a process group of its own; what
   * is left of it when the program ends is killed.
   */
  run(argv: readonly string[], options: ShellOptions): Promise<Outcome>;
  /** Absolute path of a program on PATH, or null. */
  which(program: string): Promise<string | null>;
  /**
   * Path of a shared library made from a C source that is shipped with this program, built by the machine's compiler at
   * first use. Fails with `tool-missing`.
   */
  library(source: string): Promise<string>;
  /** Path of a file or folder that is shipped with this program under `assets`. */
  shipped(name: string): Promise<string>;
}

export interface ShellOptions {
  readonly directory: string;
  readonly timeoutSeconds?: number;
  /** Kept bytes of stdout and stderr each (default 1 MiB); the rest is read and dropped. */
  readonly captureLimit?: number;
  readonly input?: Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** A shared library to load into the program, and into what it starts, before their own. */
  readonly preload?: string;
  /**
   * A script that is shipped with this program, by its name, to load into Node.js where the program is or starts one,
   * before its own modules.
   */
  readonly nodeModule?: string;
  /** Hears stdout piece by piece instead of it being kept. What it throws stops the program and is thrown. */
  readonly onOutput?: (piece: Uint8Array) => void;
  /** Processors that the program may use, as taskset(1) writes them: `2`, `0-3,6`. Needs that program. */
  readonly processors?: string;
}

/**
 * How an outcome was measured. wait4: by a tiny launcher, wall clock in nanoseconds around fork and wait, CPU in
 * microseconds, exact peak; perl-wait4: the same through Perl; procfs: wall clock of this process, CPU in ticks of 10
 * ms, peak as last seen while it ran; none: wall clock only.
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

/** Kept bytes of stdout and of stderr, where they are recorded in profiles. */
export const outputLimit: number = 64 << 10;

/**
 * How the runs ended, by repetition, and what the last one printed if that is wanted: the region `execution` of a
 * profile.
 */
export function executionOf(outcomes: readonly Outcome[], keepsOutput: boolean): JsonObject {
  const last = outcomes.at(-1);
  const output =
    keepsOutput && last ? { stdout: text(last.stdout), stderr: text(last.stderr), truncated: last.truncated } : {};
  return jsonObject({
    status: outcomes.map(({ status, signal }) =>
      status === null ? (signal ?? "unknown") : JsonNumber.integer(status),
    ),
    ...output,
  });
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Fails with `command-failed` unless the program of the job ended with 0. */
export function requireSuccess(outcome: Outcome, job: Job): void {
  if (outcome.status === 0) return;
  const command = `${job.cmd} ${job.workload}`.trim();
  throw new Failure("command-failed", { command, ending: endingOf(outcome), last: lastLine(outcome.stderr) });
}

/**
 * Fails with `command-not-found` unless the program of a command is there. Tools that start it for us each have their
 * own way to say so.
 */
export async function requireProgram(
  [program = "", ...words]: readonly string[],
  { directory }: Job,
  shell: Shell,
): Promise<void> {
  const isThere = program.includes("/")
    ? isExecutable(resolve(directory, program))
    : (await shell.which(program)) !== null;
  if (isThere) return;
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

/**
 * The options `timeout`, `allow-failure` and `keep-output`, which every collector that runs a command has. `what` of a
 * run is kept although it fails.
 */
export function runOptions(what: string): readonly Variable[] {
  return [
    collectorOption("timeout", "float", null, "seconds after which a run is stopped and the job fails"),
    collectorOption("allow-failure", "boolean", false, `keep ${what} of a command that does not exit with 0, too`),
    collectorOption("keep-output", "boolean", true, "record what the last run printed, up to 64 KiB of each stream"),
  ];
}

/** The same where a run that is stopped tells something, too, and is kept if failures are. */
export function stoppableRunOptions(what: string): readonly Variable[] {
  const synopses: Readonly<Record<string, string>> = {
    timeout: "seconds after which a run is stopped; the job fails unless allow-failure is set",
    "allow-failure": `keep ${what} of a command that does not exit with 0 or in time, too`,
  };
  return runOptions(what).map((variable) => ({
    ...variable,
    synopsis: synopses[variable.name] ?? variable.synopsis ?? "",
  }));
}

/** Seconds after which a run is stopped, of the option `timeout`; null: never. Fails with `bad-collector-option`. */
export function timeoutOf(plugin: string, params: Values): number | null {
  const value = params.get("timeout") ?? null;
  if (value === null || (Number(value) > 0 && Number(value) < 1e6)) return value === null ? null : Number(value);
  const expected = "a number of seconds above 0";
  throw new Failure("bad-collector-option", {
    plugin,
    option: "timeout",
    value: String(value),
    expected,
    example: "60",
  });
}

/** A whole number of an option. Fails with `bad-collector-option`. */
export function countOf(
  plugin: string,
  params: Values,
  name: string,
  otherwise: number,
  least: number,
  most: number,
): number {
  const value = params.get(name) ?? otherwise;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  const expected = `a whole number from ${least} to ${most}`;
  throw new Failure("bad-collector-option", {
    plugin,
    option: name,
    value: String(value),
    expected,
    example: String(otherwise),
  });
}

/** A way to measure a program. */
export interface Collector extends PluginInfo {
  readonly kind: "collector";
  /** `time`, `memory` or `mixed`: the type of the profiles it makes. */
  readonly profileType: "time" | "memory" | "mixed";
  /**
   * Fails with `tool-missing` when what it needs for these options is not on this machine. Called once before a batch,
   * for each set of options.
   */
  prepare(shell: Shell, params?: Values): Promise<void>;
  /**
   * Measures once. `progress` hears 0..1, `notice` what a person should know of how it was measured, in a line. The run
   * has no origin; the caller knows it. Fails with `command-failed`.
   */
  collect(job: Job, shell: Shell, progress?: (done: number) => void, notice?: (text: string) => void): Promise<Run>;
  /**
   * What has to be there before `collect`, such as an instrumented build in the tree of the job. All phases of a
   * measurement get the same job.
   */
  before?(job: Job, shell: Shell): Promise<void>;
  /** What is made of the run once the program has ended. */
  after?(run: Run, job: Job, shell: Shell): Promise<Run>;
  /**
   * Takes back what the other phases did. Runs once for each measurement, however it ended: also after a failure and an
   * interrupt.
   */
  teardown?(job: Job, shell: Shell): Promise<void>;
}
