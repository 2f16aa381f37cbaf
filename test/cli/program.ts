import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { ResidentProgram } from "./resident-program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The built program, as users run it. */
export const programPath: string = join(root, "dist", "cli.js");

if (!existsSync(programPath)) throw new Error("dist/cli.js is missing: run npm run build");

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const scratch: string[] = [];

/** Runs most commands of a test file. */
let resident: ResidentProgram | undefined;

/** Settings that a process reads at its start only. */
const readAtStart = /^(?:LANG|LC_|NODE_|TZ$|UV_)/;

/** Whether the command needs a process of its own: for its input, its output or Node's settings, or because all do. */
function needsProcess(script: string, words: readonly string[], options: RunOptions): boolean {
  return (
    process.env["PERFKEEP_TEST_PROCESSES"] === "1" ||
    options.input !== undefined ||
    options.stdout !== undefined ||
    words.includes("-") ||
    Object.keys(options.env ?? {}).some((name) => readAtStart.test(name)) ||
    realpathSync(script) !== programPath
  );
}

/** What `begin` started and what has not ended yet. */
const begun = new Set<Running>();

/** A test that fails leaves its program running: it may end by itself, with what it started, or is killed. */
afterAll(async () => {
  for (const { child } of begun) {
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), 5000).unref();
  }
  await Promise.all([...begun].map(({ ended }) => ended));
  await resident?.close();
  resident = undefined;
  for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is removed when the test file ends. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-test-")));
  scratch.push(folder);
  return folder;
}

/** A home, locale, zone and git identity of the tests' own, so that nothing of the machine leaks in. */
function environmentOf(home: string): Record<string, string> {
  const kept = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(GIT_|PERUN_|PERFKEEP_|PB_|PG|XDG_)/.test(name)),
  ) as Record<string, string>;
  const identity = {
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  return {
    ...kept,
    ...identity,
    HOME: home,
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
  /** An open file instead of what is answered as stdout. */
  readonly stdout?: number;
}

/** A program that was started. Its standard input is open. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

/** A repository with a history and the program at hand. */
export class Playground {
  readonly home: string = scratchFolder();
  readonly folder: string;
  /** What every run finds in its environment besides: where the database is, and who logs in there. */
  environment: Readonly<Record<string, string>> = {};
  /** Run each command in a process of its own: for plug-ins that change, which a process imports once. */
  ownProcesses = false;
  #clock = 1_600_000_000;

  constructor(folder = scratchFolder()) {
    this.folder = folder;
  }

  /** Path of the built program, for links to it. */
  get program(): string {
    return programPath;
  }

  /** Runs the built program. */
  run(words: readonly string[], options: RunOptions = {}): Ended {
    return this.start(programPath, words, options);
  }

  /** Runs a script under that path, which may be a link to the program. */
  start(script: string, words: readonly string[], options: RunOptions = {}): Ended {
    const directory = options.cwd ?? this.folder;
    const environment = { ...environmentOf(this.home), ...this.environment, ...options.env };
    if (!this.ownProcesses && !needsProcess(script, words, options)) {
      resident ??= new ResidentProgram(programPath);
      return resident.run({ script, words, directory, environment });
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
      cwd: directory,
      env: environment,
      input: options.input ?? "",
      ...(options.stdout === undefined ? {} : { stdio: ["pipe", options.stdout, "pipe"] }),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    return { status, stdout, stderr };
  }

  /** Starts the program, or another one, and leaves it running. */
  begin(
    words: readonly string[],
    { env = {}, cwd = this.folder }: Pick<RunOptions, "env" | "cwd"> = {},
    program?: string,
  ): Running {
    const [file, before] = program === undefined ? [process.execPath, [programPath]] : [program, []];
    const child = spawn(file, [...before, ...words], {
      cwd,
      env: { ...environmentOf(this.home), ...this.environment, ...env },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (text) => (stdout += String(text)));
    child.stderr.on("data", (text) => (stderr += String(text)));
    const ended = new Promise<Ended>((resolve) => child.on("close", (status) => resolve({ status, stdout, stderr })));
    const running = { child, ended };
    begun.add(running);
    void ended.then(() => begun.delete(running));
    return running;
  }

  /** Runs the program and expects success; answers what it printed. */
  ok(...words: string[]): string {
    const ended = this.run(words);
    if (ended.status !== 0) throw new Error(`perfkeep ${words.join(" ")} ended with ${ended.status}: ${ended.stderr}`);
    return ended.stdout;
  }

  json(...words: string[]): unknown {
    const end = words.includes("--") ? words.indexOf("--") : words.length;
    return JSON.parse(this.ok(...words.slice(0, end), "--format", "json", ...words.slice(end)));
  }

  git(...words: string[]): string {
    const date = `${this.#clock} +0000`;
    const env = { ...environmentOf(this.home), GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const { status, stdout, stderr } = spawnSync("git", words, { cwd: this.folder, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
    return stdout.trim();
  }

  /** A commit of `path`, an hour after the one before; without one of a file that holds the subject. Answers its id. */
  commit(subject: string, path?: string): string {
    if (!existsSync(join(this.folder, ".git"))) this.git("init", "-q", "-b", "main");
    this.#clock += 3600;
    if (path === undefined) this.write("file", `${subject}\n`);
    this.git("add", path ?? "file");
    this.git("commit", "-q", "-m", subject);
    return this.git("rev-parse", "HEAD");
  }

  write(path: string, content: string | Uint8Array, modified?: number): string {
    const absolute = join(this.folder, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
    if (modified !== undefined) utimesSync(absolute, modified, modified);
    return absolute;
  }
}

/** A small profile of the time collector as JSON text. */
export function timeProfile(facts: {
  readonly origin?: string;
  readonly amounts: readonly number[];
  readonly cmd?: string;
  readonly workload?: string;
  readonly machine?: object;
}): string {
  const cmd = facts.cmd ?? "./work";
  return JSON.stringify({
    ...(facts.origin === undefined ? {} : { origin: facts.origin }),
    header: { type: "time", cmd, workload: facts.workload ?? "", units: { time: "s" } },
    ...(facts.machine ? { machine: facts.machine } : {}),
    collector_info: { name: "time", params: { warmup: 1, repeat: facts.amounts.length } },
    postprocessors: [],
    resources: facts.amounts.map((amount, i) => ({ amount, order: i + 1, subtype: "real", type: "time", uid: cmd })),
  });
}
