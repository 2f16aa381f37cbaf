import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { Failure } from "../../../core/failures/failure.ts";
import type { Environment } from "../vcs.ts";

/** No answer that is kept whole may be longer; differences of whole trees are the only ones that come near. */
const longestAnswer = 256 * 1024 * 1024;

/** What a run of the program left behind. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program, as a system of versions starts it. */
export interface ProgramSetting {
  readonly program: string;
  /** Oldest version that will do. */
  readonly least: string;
  /** Words before the command. */
  readonly leading: readonly string[];
  readonly environment: Environment;
}

/** The program of a version control system in one directory. */
export class Program {
  readonly directory: string;
  readonly #setting: ProgramSetting;

  constructor(directory: string, setting: ProgramSetting) {
    this.directory = directory;
    this.#setting = setting;
  }

  /** For questions answered in a few milliseconds: blocks, which starts a process in half the time. */
  ask(...args: string[]): Answer {
    const { program, leading, environment } = this.#setting;
    const { status, signal, stdout, stderr, error } = spawnSync(program, [...leading, ...args], {
      cwd: this.directory,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: longestAnswer,
    });
    if (error) throw this.#unstartable(args, error);
    refuseInterrupted(signal);
    return { status: status ?? -1, stdout, stderr };
  }

  /** The answer of `ask`; anything but success is a failure. */
  answer(...args: string[]): string {
    const answer = this.ask(...args);
    if (answer.status !== 0) throw this.failure(args, answer);
    return answer.stdout;
  }

  /** For work that takes its time (trees, differences): lets the program go on meanwhile. */
  async run(...args: string[]): Promise<Answer> {
    let stdout = "";
    const child = this.#start(args);
    const ended = endOf(child);
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (text: string) => {
      stdout += text;
      if (stdout.length > longestAnswer) child.kill();
    });
    const { status, signal, stderr, error } = await ended;
    if (error) throw this.#unstartable(args, error);
    if (stdout.length > longestAnswer) throw this.failed(args, `it printed more than ${longestAnswer} characters`);
    refuseInterrupted(signal);
    return { status, stdout, stderr };
  }

  /** Standard output as it comes; leaving the loop early ends the program. Fails when it does. */
  async *stream(...args: string[]): AsyncGenerator<Buffer> {
    const child = this.#start(args);
    const ended = endOf(child);
    try {
      // A program that did not start has nothing to read; `ended` tells why.
      if (child.pid !== undefined && child.stdout) yield* child.stdout as AsyncIterable<Buffer>;
      const { status, signal, stderr, error } = await ended;
      if (error) throw this.#unstartable(args, error);
      refuseInterrupted(signal);
      if (status !== 0) throw this.failure(args, { status, stdout: "", stderr });
    } finally {
      child.kill();
    }
  }

  /** What a failed run means for the user. */
  failure(args: readonly string[], answer: Answer): Failure {
    return this.failed(args, reasonOf(answer));
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
    const { program, leading, environment } = this.#setting;
    return spawn(program, [...leading, ...args], {
      cwd: this.directory,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  #unstartable(args: readonly string[], error: Error): Failure {
    const { program, least } = this.#setting;
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT") return this.failed(args, code ?? error.message);
    if (!existsSync(this.directory))
      return new Failure("not-a-repository", { path: this.directory, type: program, reason: "no such directory" });
    return new Failure("vcs-missing", { program, least }, error);
  }
}

/** The line of the program's stderr that says what happened, without its prefix. */
export function reasonOf({ stderr, status }: Answer): string {
  const prefix = /^(?:fatal|error|abort): /;
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((each) => prefix.test(each)) ?? lines[0];
  return line?.replace(prefix, "").slice(0, 300) ?? `it ended with status ${status}`;
}

/** True when `found` (`2.39`, `6.3.2`) is below `least`, by its first two numbers; false when it cannot be told. */
export function isOlder(found: string, least: string): boolean {
  const [major = Number.NaN, minor = 0] = found.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

interface End {
  readonly status: number;
  readonly signal: string | null;
  readonly stderr: string;
  readonly error?: Error;
}

function endOf(child: ChildProcess): Promise<End> {
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

/** A terminal sends Ctrl-C to the program as well, which may end before this one hears of it. */
function refuseInterrupted(signal: string | null): void {
  if (signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGHUP") throw new Failure("interrupted");
}
