import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { quoteCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Outcome, Shell, ShellOptions } from "../../plugins/collectors/collector.ts";
import { assetPath } from "../files/index.ts";
import { buildLibrary, findLauncher, type Launcher, type BuildPaths } from "./native-helpers.ts";
import { type Interrupts, ProcessGroup, processInterrupts } from "./process-group.ts";
import { ProcfsUsage, type Usage } from "./procfs.ts";
import { searchPath } from "./search-path.ts";
import { environmentMarker, recordProcessGroup } from "./worktrees.ts";

const defaultCaptureLimit = 1 << 20;

/** How long to wait for output after the program has ended, if a process outside of its group holds the pipe. */
const drainMilliseconds = 1000;

export interface ShellContext extends BuildPaths {
  readonly interrupts?: Interrupts;
  /** How to start programs; by default the best launcher available. */
  readonly launcher?: Launcher;
}

/** A shell that runs programs of this machine. The launcher is found, or compiled, lazily. */
export function openShell(world: ShellContext): Shell {
  let launcher = world.launcher;
  return {
    run: (argv, options) => runProgram(argv, options, world, (launcher ??= findLauncher(world))),
    which: async (program) => searchPath(program, world.environment["PATH"]),
    library: async (source) => buildLibrary(world, source),
    shipped: async (name) => assetPath(name),
  };
}

function environmentOf(
  world: ShellContext,
  { directory, environment, preload, nodeModule }: ShellOptions,
): Record<string, string | undefined> {
  const merged: Record<string, string | undefined> = {
    ...world.environment,
    ...environment,
    ...environmentMarker(directory),
  };
  const libraries = preload === undefined ? [] : [preload, merged["LD_PRELOAD"]];
  const nodeWords =
    nodeModule === undefined ? [] : [`--require ${JSON.stringify(assetPath(nodeModule))}`, merged["NODE_OPTIONS"]];
  const join = (words: readonly (string | undefined)[], by: string): string => words.filter(Boolean).join(by);
  return {
    ...merged,
    ...(preload === undefined ? {} : { LD_PRELOAD: join(libraries, ":") }),
    ...(nodeModule === undefined ? {} : { NODE_OPTIONS: join(nodeWords, " ") }),
  };
}

async function runProgram(
  argv: readonly string[],
  options: ShellOptions,
  world: ShellContext,
  launcher: Launcher,
): Promise<Outcome> {
  const command = quoteCommand(argv);
  requireRunnable(argv, command, options.directory);
  // In front of the launcher, which measures: the cost of taskset does not count.
  const pin = options.processors === undefined ? [] : ["taskset", "-c", options.processors];
  const [file = "", ...words] = [...pin, ...launcher.prefix, ...argv];
  const start = process.hrtime.bigint();
  const child = spawn(file, words, {
    cwd: options.directory,
    env: environmentOf(world, options),
    stdio: [options.input ? "pipe" : "ignore", "pipe", "pipe", launcher.prefix.length > 0 ? "pipe" : "ignore"],
    detached: true,
  });
  const watched = new WatchedProgram(child, options, launcher, start);
  const forget = recordProcessGroup(child.pid, options.directory);
  const unlisten = (world.interrupts ?? processInterrupts)(() => watched.interrupt());
  try {
    return await watched.outcome(command);
  } finally {
    unlisten();
    forget();
  }
}

function requireRunnable(argv: readonly string[], command: string, directory: string): void {
  if (!argv[0]) throw new Failure("bad-command", { command, reason: "it names no program" });
  const bad = argv.find((word) => word.includes("\0"));
  if (bad !== undefined)
    throw new Failure("bad-command", { command: command.replaceAll("\0", "^@"), reason: "it contains a NUL" });
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure("command-not-found", { command, directory, reason: "no such directory" });
  }
}

/** A running program: its output, its process group, and its resource usage. */
class WatchedProgram {
  readonly #child: ChildProcess;
  readonly #options: ShellOptions;
  readonly #launcher: Launcher;
  readonly #group: ProcessGroup;
  readonly #stdout: Capture;
  readonly #stderr: Capture;
  readonly #report: Capture;
  readonly #probe: ProcfsUsage | undefined;
  readonly #start: bigint;
  readonly #timeout: NodeJS.Timeout | undefined;
  #stopped: "interrupted" | "command-timed-out" | undefined;

  constructor(child: ChildProcess, options: ShellOptions, launcher: Launcher, start: bigint) {
    const limit = options.captureLimit ?? defaultCaptureLimit;
    this.#child = child;
    this.#options = options;
    this.#launcher = launcher;
    this.#start = start;
    this.#group = new ProcessGroup(child);
    this.#stdout = new Capture(child.stdout, limit, options.onOutput);
    this.#stderr = new Capture(child.stderr, limit);
    this.#report = new Capture(child.stdio[3] as Readable | null, 1000);
    if (launcher.clock === "procfs" && child.pid !== undefined) this.#probe = new ProcfsUsage(child.pid);
    // A program may close its input before reading all of it.
    child.stdin?.on("error", () => {}).end(options.input);
    this.#stdout.failed = () => this.#group.stop();
    if (options.timeoutSeconds)
      this.#timeout = setTimeout(() => this.#stop("command-timed-out"), options.timeoutSeconds * 1000);
  }

  interrupt(): void {
    this.#stop("interrupted");
  }

  /** Kills everything that is still running. */
  kill(): void {
    clearTimeout(this.#timeout);
    this.#group.end();
  }

  /** Waits for the end. Fails with `command-not-found`, `command-timed-out`, `interrupted`. */
  async outcome(command: string): Promise<Outcome> {
    const { status, signal, error } = await this.#ended();
    const wall = process.hrtime.bigint() - this.#start;
    const usage = this.#probe?.end();
    clearTimeout(this.#timeout);
    this.#group.end();
    await this.#drain();
    const { directory } = this.#options;
    this.#stdout.rethrow();
    if (error !== undefined)
      throw new Failure("command-not-found", { command, directory, reason: reasonOf(error) }, error);
    if (this.#stopped === "interrupted") throw new Failure("interrupted");
    if (this.#stopped) throw new Failure(this.#stopped, { command, seconds: this.#options.timeoutSeconds });
    return this.#launcher.prefix.length > 0 ? this.#reported(command) : this.#observed(status, signal, wall, usage);
  }

  #stop(why: "interrupted" | "command-timed-out"): void {
    this.#stopped ??= why;
    this.#group.stop();
  }

  #ended(): Promise<{ status: number | null; signal: string | null; error?: NodeJS.ErrnoException }> {
    return new Promise((resolve) => {
      this.#child.once("error", (error) => resolve({ status: null, signal: null, error }));
      this.#child.once("exit", (status, signal) => resolve({ status, signal }));
    });
  }

  async #drain(): Promise<void> {
    const captures = [this.#stdout, this.#stderr, this.#report];
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMilliseconds)));
    await Promise.race([Promise.all(captures.map((capture) => capture.ended)), tooLong]);
    clearTimeout(timer);
    for (const capture of captures) capture.close();
  }

  /** The outcome reported by the launcher. Without a report, it was killed together with the program. */
  #reported(command: string): Outcome {
    const [kind, ...fields] = new TextDecoder().decode(this.#report.bytes).trim().split(" ");
    if (kind === "error") {
      throw new Failure("command-not-found", {
        command,
        directory: this.#options.directory,
        reason: reasonOf(Number(fields[0])),
      });
    }
    if (kind !== "done") return this.#observed(null, "SIGKILL", process.hrtime.bigint() - this.#start, undefined);
    const [wall = "0", user, system, peak, status, signal] = fields;
    return {
      ...this.#commonFacts(status === "-" ? null : Number(status), signal === "-" ? null : signalName(Number(signal))),
      wallNanoseconds: BigInt(wall),
      userSeconds: Number(user) / 1e6,
      systemSeconds: Number(system) / 1e6,
      peakBytes: Number(peak) * 1024,
    };
  }

  #observed(status: number | null, signal: string | null, wallNanoseconds: bigint, usage: Usage | undefined): Outcome {
    const unknown: Usage = { userSeconds: Number.NaN, systemSeconds: Number.NaN, peakBytes: Number.NaN };
    return { ...this.#commonFacts(status, signal), wallNanoseconds, ...(usage ?? unknown) };
  }

  #commonFacts(
    status: number | null,
    signal: string | null,
  ): Pick<Outcome, "status" | "signal" | "clock" | "stdout" | "stderr" | "truncated"> {
    const [stdout, stderr] = [this.#stdout, this.#stderr];
    const truncated = stdout.truncated || stderr.truncated;
    return { status, signal, clock: this.#launcher.clock, stdout: stdout.bytes, stderr: stderr.bytes, truncated };
  }
}

/** Reads a stream to its end and stores its beginning, or passes all of it to a consumer. */
class Capture {
  readonly ended: Promise<void>;
  readonly #stream: Readable | null;
  readonly #chunks: Uint8Array[] = [];
  readonly #consumer: ShellOptions["onOutput"];
  #remaining: number;
  truncated = false;
  /** The exception of the consumer, in a list of one. */
  #thrown: readonly unknown[] = [];
  /** Called when the consumer throws. */
  failed: () => void = () => {};

  constructor(stream: Readable | null, limit: number, consumer?: ShellOptions["onOutput"]) {
    this.#stream = stream;
    this.#remaining = limit;
    this.#consumer = consumer;
    this.ended = stream === null ? Promise.resolve() : new Promise((resolve) => stream.once("close", resolve));
    stream?.on("data", (chunk: Uint8Array) => this.#receive(chunk)).on("error", () => {});
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  close(): void {
    this.#stream?.destroy();
  }

  rethrow(): void {
    if (this.#thrown.length > 0) throw this.#thrown[0];
  }

  #passOn(chunk: Uint8Array, consumer: (piece: Uint8Array) => void): void {
    if (this.#thrown.length > 0) return;
    try {
      consumer(chunk);
    } catch (error) {
      this.#thrown = [error];
      this.failed();
    }
  }

  #receive(chunk: Uint8Array): void {
    if (this.#consumer) return this.#passOn(chunk, this.#consumer);
    if (chunk.length > this.#remaining) this.truncated = true;
    if (this.#remaining > 0) this.#chunks.push(chunk.subarray(0, this.#remaining));
    this.#remaining = Math.max(0, this.#remaining - chunk.length);
  }
}

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
}

function reasonOf(error: number | NodeJS.ErrnoException): string {
  const code = typeof error === "number" ? nameOf(error) : (error.code ?? error.message);
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "no such program",
    EACCES: "not executable",
    ENOEXEC: "not a program this machine can run",
    E2BIG: "its arguments are too long",
    ENOTDIR: "a part of its path is not a directory",
  };
  return reasons[code] ?? code;
}

function nameOf(errno: number): string {
  return Object.entries(constants.errno).find(([, value]) => value === errno)?.[0] ?? `error ${errno}`;
}
