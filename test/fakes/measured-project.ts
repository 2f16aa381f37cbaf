import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { RunOptions } from "../../src/commands/jobs/run-jobs.ts";
import { isFailure } from "../../src/core/failures/failure.ts";
import { textAt, type Json } from "../../src/core/values/json.ts";
import type { Run } from "../../src/core/profiles/run.ts";
import { decodeProfile } from "../../src/formats/profile/profile.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

/** Cache of the launcher, shared by all projects of a test file. */
const cache = mkdtempSync(join(tmpdir(), "perfkeep-cache-"));

afterAll(() => rmSync(cache, { recursive: true, force: true }));

export const anyone: RunOptions = { versions: [], crawlParents: false, confirm: null };

/** Parameters with the fewest runs of the collector `time`. */
export const quick: ReadonlyMap<string, number> = new Map([
  ["warmup", 0],
  ["repeat", 1],
]);

export const byTime = [{ name: "time", params: quick }];

export interface PendingRun {
  readonly name: string;
  readonly origin: string | undefined;
  readonly output: string;
  readonly dirty: Json | undefined;
  readonly run: Run;
}

/**
 * A repository with an instance in a scratch folder; its program `bench` prints the word of its commit and its
 * arguments.
 */
export class MeasuredProject {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-jobs-")));
  readonly path: string = join(this.folder, "project");
  #calls = 0;

  constructor() {
    mkdirSync(join(this.path, ".perun"), { recursive: true });
    this.git("init", "-q", "-b", "main");
    this.configure("");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  git(...args: string[]): string {
    const identity = {
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@b",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@b",
    };
    const env = { PATH: process.env["PATH"], ...identity, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", args, { cwd: this.path, env, encoding: "utf8" }).trim();
  }

  head(): string {
    return this.git("rev-parse", "HEAD");
  }

  /** Commits `bench` and all other files. */
  commit(word: string, script = `echo ${word} "$@"`): void {
    this.program("bench", script);
    writeFileSync(join(this.path, ".gitignore"), ".perun\nbuilt\n");
    this.git("add", "-A");
    this.git("commit", "-q", "-m", word);
  }

  program(name: string, script: string): void {
    writeFileSync(join(this.path, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.path, name), 0o755);
  }

  configure(text: string): void {
    writeFileSync(join(this.path, ".perun", "local.yml"), `vcs:\n  type: git\n  url: ..\n${text}`);
  }

  open(directory: string = this.path): Workspace {
    const environment = {
      PATH: process.env["PATH"],
      HOME: join(this.folder, "home"),
      TMPDIR: this.folder,
      XDG_CACHE_HOME: cache,
    };
    const random = (): number => (this.#calls++ % 7) / 7;
    return new Workspace({ directory, environment, now: () => Date.UTC(2026, 0, 1), random, command: "test" });
  }

  pending(): PendingRun[] {
    const jobs = join(this.path, ".perun", "jobs");
    const names = (existsSync(jobs) ? readdirSync(jobs) : []).filter((name) => name.endsWith(".perf"));
    return names.map((name) => {
      const run = decodeProfile(readFileSync(join(jobs, name)));
      const output = textAt(run.extra.get("execution"), "stdout") ?? "";
      return { name, origin: run.origin, output, dirty: run.machine?.get("dirty"), run };
    });
  }
}

/** `fine`, or the code of the failure. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "fine",
    (error: unknown) => (isFailure(error) ? error.code : String(error)),
  );
}
