import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { Failure } from "../../../core/failures/index.ts";
import { reasonOf, type GitOutcome } from "./git-errors.ts";
import { ownEnvironment, connectionEnvironment, type Environment, type GitConnection } from "./git-environment.ts";

/** What git syncs when it writes: everything but the index, which bare repositories lack. Ignored before git 2.36. */
export const syncedComponents = "committed,loose-object,reference";

/** Passed as arguments, so they override every configuration. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.logAllRefUpdates=false",
  "core.compression=1",
  // By default git syncs packs, but not references: after a power cut they could name nothing.
  `core.fsync=${syncedComponents}`,
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

/** Maximum stored standard output and standard error. */
const maxStdoutBytes = 64 << 20;
const maxStderrLength = 256 << 10;

/** Runs git in the share repository. */
export class GitProgram {
  readonly folder: string;
  readonly #environment: Environment;

  constructor(folder: string, environment: Environment) {
    this.folder = folder;
    this.#environment = ownEnvironment(folder, environment);
  }

  /** Runs git to its end. Fails only if it cannot be started or is interrupted. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<GitAnswer> {
    const running = this.start(args, options);
    if (options.input !== undefined) running.feed(options.input);
    else running.stdin.end();
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of running.stdout as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length <= maxStdoutBytes) chunks.push(chunk);
      else running.kill();
    }
    const { status, stderr } = await running.ended;
    return { status, stdout: Buffer.concat(chunks).toString("utf8"), stderr };
  }

  /** Runs git and returns its output. Fails with `share-repository`. */
  async answer(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const answer = await this.run(args, options);
    if (answer.status !== 0) throw gitFailure(args[0] ?? "", this.folder, answer);
    return answer.stdout;
  }

  start(args: readonly string[], { connection, onStderr }: RunOptions = {}): RunningGit {
    const settingArguments = settings.flatMap((setting) => ["-c", setting]);
    const child = spawn("git", ["--no-pager", ...settingArguments, ...args], {
      cwd: connection?.directory ?? this.folder,
      env:
        connection === undefined
          ? this.#environment
          : { ...this.#environment, ...connectionEnvironment(connection, this.#environment) },
      stdio: ["pipe", "pipe", "pipe"],
    });
    return new RunningGit(child, onStderr);
  }
}

export interface RunOptions {
  readonly input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** How to reach a remote; without it, none is reachable. */
  readonly connection?: GitConnection;
  /** Receives standard error as it is printed. */
  readonly onStderr?: (printed: string) => void;
}

/** A running git process. */
export class RunningGit {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Status -1: killed by a signal. Fails with `interrupted`, and with `vcs-missing` without git. */
  readonly ended: Promise<{ readonly status: number; readonly stderr: string }>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #inputError: unknown;

  constructor(
    child: ChildProcessByStdio<Writable, Readable, Readable>,
    onStderr: (printed: string) => void = () => {},
  ) {
    this.#child = child;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    // If git stops reading, its exit explains why.
    child.stdin.on("error", () => {});
    let stderr = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      onStderr(text);
      if (stderr.length < maxStderrLength) stderr += text;
    });
    this.ended = new Promise((resolve, reject) => {
      child.on("error", (error) => reject(startFailure(error)));
      child.on("close", (status, signal) => {
        if (this.#inputError !== undefined) reject(this.#inputError);
        else if (signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGHUP") reject(new Failure("interrupted"));
        else resolve({ status: status ?? -1, stderr });
      });
    });
    this.ended.catch(() => {});
  }

  /** Writes `input` and closes the pipe; on errors `ended` fails. */
  feed(input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): void {
    void this.#write(input).catch((error: unknown) => {
      this.#inputError = error;
      this.kill();
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Waits until the pipe is writable or closed. */
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
    for await (const chunk of input) {
      if (this.stdin.destroyed) return;
      if (!this.stdin.write(chunk)) await this.#drained();
    }
    this.stdin.end();
  }
}

/** The failure of a local git operation. */
export function gitFailure(action: string, folder: string, end: GitOutcome): Failure {
  return new Failure("share-repository", { action, path: folder, reason: reasonOf(end) });
}

function startFailure(error: Error): Failure {
  if ((error as NodeJS.ErrnoException).code === "ENOENT")
    return new Failure("vcs-missing", { program: "git", least: "2.31" }, error);
  return new Failure("share-repository", { action: "start", path: "git", reason: error.message }, error);
}
