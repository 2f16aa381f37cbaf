import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { Failure } from "../../core/errors.ts";
import type { Environment } from "./vcs.ts";

/** First git whose rev-parse answers with absolute paths and ends its options. */
const leastGit = "2.31";

/** No answer that is kept whole may be longer; differences of whole trees are the only ones that come near. */
const longestAnswer = 256 * 1024 * 1024;

/**
 * A repository's own configuration can name programs (hooks, fsmonitor, external diff, signature checks, transports) and change what is
 * printed. These settings come last and win. Clean and smudge filters cannot be switched off: they are git's own line of trust.
 */
const hardened = [
  "--no-pager",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.pager=cat",
    "core.quotePath=false",
    "color.ui=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.showSignature=false",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    "worktree.useRelativePaths=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** Variables of git that stay: they configure the user's git as a whole and do not point at a repository. */
const keptVariables = /^GIT_(?:CONFIG_|EXEC_PATH$|TEMPLATE_DIR$|DEFAULT_HASH$|CEILING_DIRECTORIES$|DISCOVERY_ACROSS_FILESYSTEM$)/;

/** What a run of git left behind. */
export interface GitAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The git program in one directory. Arguments are ours or ids; words of users reach it through `resolve` only. */
export class Git {
  readonly directory: string;
  readonly #environment: Environment;

  constructor(directory: string, environment: Environment) {
    this.directory = directory;
    this.#environment = cleaned(directory, environment);
  }

  /** The same git elsewhere. GIT_DIR and GIT_WORK_TREE of the user do not follow. */
  at(directory: string): Git {
    const { GIT_DIR: _directory, GIT_WORK_TREE: _tree, ...environment } = this.#environment;
    return new Git(directory, environment);
  }

  /** For questions answered in a few milliseconds: blocks, which starts a process in half the time. */
  ask(...args: string[]): GitAnswer {
    const { status, signal, stdout, stderr, error } = spawnSync("git", [...hardened, ...args], {
      cwd: this.directory,
      env: this.#environment,
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
  async run(...args: string[]): Promise<GitAnswer> {
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
    if (stdout.length > longestAnswer) throw this.#failed(args, `it printed more than ${longestAnswer} characters`);
    refuseInterrupted(signal);
    return { status, stdout, stderr };
  }

  /** Standard output as it comes; leaving the loop early ends git. Fails when git does. */
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
  failure(args: readonly string[], answer: GitAnswer): Failure {
    const reason = reasonOf(answer);
    const path = this.directory;
    if (/dubious ownership/.test(answer.stderr))
      return new Failure("repository-not-trusted", { path: untrustedPath(answer) ?? path, reason });
    if (/not a git repository/.test(answer.stderr)) return new Failure("not-a-repository", { path, type: "git" });
    return this.#tooOld() ?? this.#failed(args, reason);
  }

  /** The failure that tells of a git older than `leastGit`, or null. Costs a process, so only asked once something went wrong. */
  #tooOld(): Failure | null {
    const found = this.ask("--version").stdout.trim();
    const [major = 0, minor = 0] = (/\d+\.\d+/.exec(found)?.[0] ?? "").split(".").map(Number);
    const [leastMajor = 0, leastMinor = 0] = leastGit.split(".").map(Number);
    if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return null;
    return new Failure("vcs-too-old", { found, program: "git", least: leastGit });
  }

  #start(args: readonly string[]): ChildProcess {
    return spawn("git", [...hardened, ...args], {
      cwd: this.directory,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  #failed(args: readonly string[], reason: string): Failure {
    return new Failure("vcs-failed", { command: args[0], path: this.directory, reason });
  }

  #unstartable(args: readonly string[], error: Error): Failure {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT") return this.#failed(args, code ?? error.message);
    if (!existsSync(this.directory))
      return new Failure("not-a-repository", { path: this.directory, type: "git", reason: "no such directory" });
    return new Failure("vcs-missing", { program: "git", least: leastGit }, error);
  }
}

/**
 * The environment for git. Inside a hook git sets GIT_DIR and more for the repository of the hook; they are dropped, since the repository
 * is the one around `directory`. GIT_DIR and GIT_WORK_TREE stay when the user clearly set them: both, absolute, and around `directory`.
 */
function cleaned(directory: string, environment: Environment): Environment {
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("GIT_") || keptVariables.test(name));
  return {
    ...Object.fromEntries(own),
    ...explicitRepository(directory, environment),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A partial clone would fetch missing objects by whatever program or address its configuration names.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    // To a pipe git log would write every version by itself, which doubles the time of a walk.
    GIT_FLUSH: "0",
  };
}

function explicitRepository(directory: string, { GIT_DIR, GIT_WORK_TREE }: Environment): Environment {
  if (!GIT_DIR || !GIT_WORK_TREE || !isAbsolute(GIT_DIR) || !isAbsolute(GIT_WORK_TREE)) return {};
  const inside = relative(GIT_WORK_TREE, directory);
  return inside.startsWith("..") || isAbsolute(inside) ? {} : { GIT_DIR, GIT_WORK_TREE };
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

/** A terminal sends Ctrl-C to git as well, which may end before this program hears of it. */
function refuseInterrupted(signal: string | null): void {
  if (signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGHUP") throw new Failure("interrupted");
}

/** The line of git's stderr that says what happened, without its prefix. */
export function reasonOf({ stderr, status }: GitAnswer): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((each) => /^(?:fatal|error): /.test(each)) ?? lines[0];
  return line?.replace(/^(?:fatal|error): /, "").slice(0, 300) ?? `it ended with status ${status}`;
}

function untrustedPath({ stderr }: GitAnswer): string | undefined {
  return /dubious ownership in repository at '(.*)'/.exec(stderr)?.[1];
}
