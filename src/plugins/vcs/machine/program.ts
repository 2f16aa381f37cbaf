import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { Failure } from "../../../core/failures/index.ts";
import { isVersionId, type VersionId } from "../../../core/versions/index.ts";
import type { Environment } from "../vcs.ts";

/** Maximum length of buffered output; only differences of complete trees come near. */
const maxOutputLength = 256 * 1024 * 1024;

/** Exit status and output of a run. */
export interface ProcessResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to start the program of a version control system. */
export interface ProgramOptions {
  readonly program: string;
  /** Oldest supported version. */
  readonly minimumVersion: string;
  /** Arguments before the command. */
  readonly globalArgs: readonly string[];
  readonly environment: Environment;
}

/** The program of a version control system in one directory. */
export class Program {
  readonly directory: string;
  readonly #setting: ProgramOptions;

  constructor(directory: string, setting: ProgramOptions) {
    this.directory = directory;
    this.#setting = setting;
  }

  /** Runs synchronously, for calls of a few milliseconds: this starts a process in half the time. */
  runSync(...args: string[]): ProcessResult {
    const { program, globalArgs: leading, environment } = this.#setting;
    const { status, signal, stdout, stderr, error } = spawnSync(program, [...leading, ...args], {
      cwd: this.directory,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: maxOutputLength,
    });
    if (error) throw this.#startFailure(args, error);
    throwIfInterrupted(signal);
    return { status: status ?? -1, stdout, stderr };
  }

  /** Standard output of a synchronous run; fails unless the status is 0. */
  output(...args: string[]): string {
    const result = this.runSync(...args);
    if (result.status !== 0) throw this.failure(args, result);
    return result.stdout;
  }

  /** Runs asynchronously, for longer work (worktrees, differences). */
  async run(...args: string[]): Promise<ProcessResult> {
    let stdout = "";
    const child = this.#start(args);
    const ended = completionOf(child);
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (text: string) => {
      stdout += text;
      if (stdout.length > maxOutputLength) child.kill();
    });
    const { status, signal, stderr, error } = await ended;
    if (error) throw this.#startFailure(args, error);
    if (stdout.length > maxOutputLength) throw this.failed(args, `it printed more than ${maxOutputLength} characters`);
    throwIfInterrupted(signal);
    return { status, stdout, stderr };
  }

  /** Streams standard output; leaving the loop early kills the program. Fails unless the status is 0. */
  async *stream(...args: string[]): AsyncGenerator<Buffer> {
    const child = this.#start(args);
    const ended = completionOf(child);
    try {
      // A program that did not start has no output; `ended` holds the error.
      if (child.pid !== undefined && child.stdout) yield* child.stdout as AsyncIterable<Buffer>;
      const { status, signal, stderr, error } = await ended;
      if (error) throw this.#startFailure(args, error);
      throwIfInterrupted(signal);
      if (status !== 0) throw this.failure(args, { status, stdout: "", stderr });
    } finally {
      child.kill();
    }
  }

  /** The failure that reports a failed run to the user. */
  failure(args: readonly string[], result: ProcessResult): Failure {
    return this.failed(args, reasonOf(result));
  }

  failed(args: readonly string[], reason: string): Failure {
    return new Failure("vcs-failed", {
      program: this.#setting.program,
      command: args[0],
      path: this.directory,
      reason,
    });
  }

  #start(args: readonly string[]): ChildProcess {
    const { program, globalArgs: leading, environment } = this.#setting;
    return spawn(program, [...leading, ...args], {
      cwd: this.directory,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  #startFailure(args: readonly string[], error: Error): Failure {
    const { program, minimumVersion: least } = this.#setting;
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT") return this.failed(args, code ?? error.message);
    if (!existsSync(this.directory))
      return new Failure("not-a-repository", { path: this.directory, type: program, reason: "no such directory" });
    return new Failure("vcs-missing", { program, least }, error);
  }
}

/** The error line of the program's stderr, without its prefix. */
export function reasonOf({ stderr, status }: ProcessResult): string {
  const prefix = /^(?:fatal|error|abort): /;
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((each) => prefix.test(each)) ?? lines[0];
  return line?.replace(prefix, "").slice(0, 300) ?? `it exited with status ${status}`;
}

/** True when the first two numbers of `version` (`2.39`, `6.3.2`) are below `minimum`; false for unknown formats. */
export function isOlder(version: string, minimum: string): boolean {
  const [major = Number.NaN, minor = 0] = version.split(".").map(Number);
  const [minimumMajor = 0, minimumMinor = 0] = minimum.split(".").map(Number);
  return major < minimumMajor || (major === minimumMajor && minor < minimumMinor);
}

/** Returns `id` if it is a full id: only hex reaches a program. Fails with `unknown-revision`. */
export function requireId(id: VersionId): VersionId {
  if (isVersionId(id)) return id;
  throw new Failure("unknown-revision", { revision: String(id).slice(0, 100), reason: "it is not a full id" });
}

interface Completion {
  readonly status: number;
  readonly signal: string | null;
  readonly stderr: string;
  readonly error?: Error;
}

function completionOf(child: ChildProcess): Promise<Completion> {
  let stderr = "";
  child.stderr?.setEncoding("utf8");
  child.stderr?.on("data", (text: string) => {
    if (stderr.length < 64 * 1024) stderr += text;
  });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ status: -1, signal: null, stderr, error }));
    child.on("close", (status, signal) => resolve({ status: status ?? -1, signal, stderr }));
  });
}

/** Ctrl-C in a terminal also reaches the program, which may exit before this process handles the signal. */
function throwIfInterrupted(signal: string | null): void {
  if (signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGHUP") throw new Failure("interrupted");
}
