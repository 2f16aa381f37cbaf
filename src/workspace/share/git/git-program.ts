import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { Failure } from "../../../core/failures/failure.ts";
import { reasonOf, type GitOutcome } from "./git-errors.ts";
import { ownEnvironment, connectionEnvironment, type Environment, type GitConnection } from "./git-environment.ts";

/** These come last and win over every configuration. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.logAllRefUpdates=false",
  "core.compression=1",
  "gc.auto=0",
  "maintenance.auto=false",
  "transfer.fsckObjects=true",
  "fetch.unpackLimit=1",
  "fetch.writeCommitGraph=false",
  "fastimport.unpackLimit=1",
  "fetch.recurseSubmodules=false",
  "push.recurseSubmodules=no",
  "push.followTags=false",
  "push.gpgSign=false",
  "push.autoSetupRemote=false",
];

export interface GitAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Longest answer that is kept whole, and the most that is kept of what a program complains. */
const maxStdoutBytes = 64 << 20;
const maxStderrLength = 256 << 10;

/** The git program in the repository of what is shared. */
export class GitProgram {
  readonly folder: string;
  readonly #environment: Environment;

  constructor(folder: string, environment: Environment) {
    this.folder = folder;
    this.#environment = ownEnvironment(folder, environment);
  }

  /** Runs it to its end; fails when it cannot be started or is interrupted. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<GitAnswer> {
    const running = this.start(args, options);
    if (options.input !== undefined) running.feed(options.input);
    else running.stdin.end();
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of running.stdout as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length <= maxStdoutBytes) pieces.push(piece);
      else running.kill();
    }
    const { status, stderr } = await running.ended;
    return { status, stdout: Buffer.concat(pieces).toString("utf8"), stderr };
  }

  /** What it prints; fails with `share-repository` when it does not succeed. */
  async answer(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const answer = await this.run(args, options);
    if (answer.status !== 0) throw gitFailure(args[0] ?? "", this.folder, answer);
    return answer.stdout;
  }

  start(args: readonly string[], { connection: way, onStderr: heard }: RunOptions = {}): RunningGit {
    const words = settings.flatMap((setting) => ["-c", setting]);
    const child = spawn("git", ["--no-pager", ...words, ...args], {
      cwd: way?.directory ?? this.folder,
      env:
        way === undefined
          ? this.#environment
          : { ...this.#environment, ...connectionEnvironment(way, this.#environment) },
      stdio: ["pipe", "pipe", "pipe"],
    });
    return new RunningGit(child, heard);
  }
}

export interface RunOptions {
  readonly input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** How to reach a remote; without one none is. */
  readonly connection?: GitConnection;
  /** Is told what it complains or says of its progress, as it comes. */
  readonly onStderr?: (printed: string) => void;
}

/** A git that has been started. */
export class RunningGit {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Status -1: it was ended by a signal. Fails with `interrupted`, and with `vcs-missing` when there is no git. */
  readonly ended: Promise<{ readonly status: number; readonly stderr: string }>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #broken: unknown;

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, heard: (printed: string) => void = () => {}) {
    this.#child = child;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    // A git that stops reading tells why when it ends.
    child.stdin.on("error", () => {});
    let stderr = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      heard(text);
      if (stderr.length < maxStderrLength) stderr += text;
    });
    this.ended = new Promise((resolve, reject) => {
      child.on("error", (error) => reject(startFailure(error)));
      child.on("close", (status, signal) => {
        if (this.#broken !== undefined) reject(this.#broken);
        else if (signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGHUP") reject(new Failure("interrupted"));
        else resolve({ status: status ?? -1, stderr });
      });
    });
    this.ended.catch(() => {});
  }

  /** Writes all of `input` and closes; when that fails `ended` fails with the reason. */
  feed(input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): void {
    void this.#write(input).catch((error: unknown) => {
      this.#broken = error;
      this.kill();
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Returns once more can be written, or nothing ever will. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.stdin.off("drain", done).off("close", done);
        resolve();
      };
      this.stdin.on("drain", done).on("close", done);
    });
  }

  async #write(input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    for await (const piece of input) {
      if (this.stdin.destroyed) return;
      if (!this.stdin.write(piece)) await this.#drained();
    }
    this.stdin.end();
  }
}

/** The failure of a git that worked on the repository of what is shared alone. */
export function gitFailure(action: string, folder: string, end: GitOutcome): Failure {
  return new Failure("share-repository", { action, path: folder, reason: reasonOf(end) });
}

function startFailure(error: Error): Failure {
  if ((error as NodeJS.ErrnoException).code === "ENOENT")
    return new Failure("vcs-missing", { program: "git", least: "2.31" }, error);
  return new Failure("share-repository", { action: "start", path: "git", reason: error.message }, error);
}
