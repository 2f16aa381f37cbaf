import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFailure } from "../core/errors.ts";
import { textAt, type Json } from "../core/json.ts";
import { decodeProfile } from "../formats/profile.ts";
import { Workspace } from "../workspace/workspace.ts";
import { collect } from "./collect.ts";
import { readParams, runJob, runMatrix, type RunOptions } from "./run-jobs.ts";

let folder: string;
let project: string;
const anyone: RunOptions = { versions: [], crawlParents: false, confirm: null };
const quick = new Map([
  ["warmup", 0],
  ["repeat", 1],
]);
const byTime = [{ name: "time", params: quick }];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-jobs-")));
  project = join(folder, "project");
  mkdirSync(join(project, ".perun"), { recursive: true });
  git("init", "-q", "-b", "main");
  configure("");
  commit("one");
  commit("two");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  const identity = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
  const env = { PATH: process.env["PATH"], ...identity, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", args, { cwd: project, env, encoding: "utf8" }).trim();
}

function commit(word: string): void {
  writeFileSync(join(project, "bench"), `#!/bin/sh\necho ${word} "$@"\n`);
  chmodSync(join(project, "bench"), 0o755);
  writeFileSync(join(project, ".gitignore"), ".perun\nbuilt\n");
  git("add", "-A");
  git("commit", "-q", "-m", word);
}

function configure(text: string): void {
  writeFileSync(join(project, ".perun", "local.yml"), `vcs:\n  type: git\n  url: ..\n${text}`);
}

function open(directory = project): Workspace {
  const environment = { PATH: process.env["PATH"], HOME: join(folder, "home"), TMPDIR: folder };
  let calls = 0;
  return new Workspace({ directory, environment, now: () => Date.UTC(2026, 0, 1), random: () => (calls++ % 7) / 7, command: "test" });
}

function pendingRuns(): { name: string; origin: string | undefined; output: string; dirty: Json | undefined }[] {
  const jobs = join(project, ".perun", "jobs");
  return (existsSync(jobs) ? readdirSync(jobs) : [])
    .filter((name) => name.endsWith(".perf"))
    .map((name) => {
      const run = decodeProfile(readFileSync(join(jobs, name)));
      const execution = run.extra.get("execution");
      return { name, origin: run.origin, output: textAt(execution, "stdout") ?? "", dirty: run.machine?.get("dirty") };
    });
}

const head = (): string => git("rev-parse", "HEAD");

async function code(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "fine",
    (error: unknown) => (isFailure(error) ? error.code : String(error)),
  );
}

test("the user's tree is measured as it is, and left as it is", async () => {
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect((await runJob(open(), job)).kept).toMatchObject([
    { version: head(), cmd: "./bench", workload: "", collector: "time", object: null, dirty: false },
  ]);
  expect(pendingRuns()).toMatchObject([{ origin: head(), output: "two\n", dirty: false }]);
  expect(pendingRuns()[0]?.name).toBe("time-[bench]-[]-2026-01-01-00-00-00-000000.perf");
  expect(git("status", "--porcelain")).toBe("");
});

test("a tree with changes says so", async () => {
  writeFileSync(join(project, "bench"), "#!/bin/sh\necho changed\n");
  await collect(open(), { ...anyone, collector: "time", cmds: ["./bench"], workloads: [], params: quick });
  expect(pendingRuns()).toMatchObject([{ origin: head(), output: "changed\n", dirty: true }]);
});

test("other versions are measured in trees of their own", async () => {
  writeFileSync(join(project, "bench"), "#!/bin/sh\necho changed\n");
  const before = git("status", "--porcelain=v2");
  const job = { ...anyone, versions: ["HEAD", "HEAD~1", "main"], cmds: ["./bench"], workloads: ["a", "'b c'"], collectors: byTime };
  const result = await runJob(open(), job);
  expect(result.failed).toEqual([]);
  expect(
    pendingRuns()
      .map(({ origin, output, dirty }) => [origin, output, dirty])
      .sort(),
  ).toEqual(
    [
      [head(), "two a\n", false],
      [head(), "two b c\n", false],
      [git("rev-parse", "HEAD~1"), "one a\n", false],
      [git("rev-parse", "HEAD~1"), "one b c\n", false],
    ].sort(),
  );
  expect(git("status", "--porcelain=v2")).toBe(before);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
});

test("ancestors come along when asked for", async () => {
  const job = { ...anyone, crawlParents: true, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect((await runJob(open(), job)).kept.map((profile) => profile.version)).toEqual([head(), git("rev-parse", "HEAD~1")]);
});

const matrix = `cmds:
  - ./bench
  - ./built
workloads:
  - w
collectors:
  - name: time
    params:
      warmup: 0
      repeat: 2
execute:
  pre_run:
    - cp bench built
`;

test("the matrix of a configuration runs after it was confirmed, and only then", async () => {
  configure(matrix);
  expect(await code(runMatrix(open(), anyone))).toBe("not-trusted");
  expect(existsSync(join(project, "built"))).toBe(false);
  const result = await runMatrix(open(), { ...anyone, confirm: async () => true });
  expect(result.kept.map(({ cmd, workload }) => `${cmd} ${workload}`)).toEqual(["./bench w", "./built w"]);
  expect(await code(runMatrix(open(), anyone))).toBe("fine");
});

test("profiles are registered at once when that is configured, but never dirty ones", async () => {
  configure("profiles:\n  register_after_run: true\n");
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  const [profile] = (await runJob(open(), job)).kept;
  expect(pendingRuns()).toEqual([]);
  expect(open().registered(head() as never)).toMatchObject([{ name: profile?.name, object: profile?.object, cmd: "./bench" }]);
  writeFileSync(join(project, "bench"), "#!/bin/sh\n");
  expect((await runJob(open(), job)).kept).toMatchObject([{ object: null, dirty: true }]);
});

test("what fails is listed and the rest is kept", async () => {
  const heard: number[] = [];
  const job = { ...anyone, cmds: ["false", "./none", "./bench"], workloads: [], collectors: byTime };
  const result = await runJob(open(), job, { progress: (done, total) => heard.push(done / total) });
  expect(result.failed.map(({ job: failed, failure }) => [failed?.cmd, failure.code])).toEqual([
    ["false", "command-failed"],
    ["./none", "command-not-found"],
  ]);
  expect(result.kept).toHaveLength(1);
  expect([heard.at(-1), heard.every((done, at) => done >= (heard[at - 1] ?? 0))]).toEqual([1, true]);
});

test("a version whose preparation fails is listed, with pipes understood and the others measured", async () => {
  configure("execute:\n  pre_run:\n    - cat bench | grep two\n");
  const job = { ...anyone, versions: ["HEAD~1", "HEAD"], confirm: async () => true, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect(await code(runJob(open(), { ...job, confirm: null }))).toBe("not-trusted");
  const result = await runJob(open(), job);
  expect(result.failed).toMatchObject([{ version: git("rev-parse", "HEAD~1"), job: null, failure: { code: "pre-run-failed" } }]);
  expect(result.kept).toMatchObject([{ version: head() }]);
  expect(await code(runJob(open(), { ...job, confirm: null }))).toBe("fine");
});

test("commands run where the user stands, in every version", async () => {
  mkdirSync(join(project, "sub"));
  writeFileSync(join(project, "sub", "tool"), '#!/bin/sh\nbasename "$PWD"\n');
  chmodSync(join(project, "sub", "tool"), 0o755);
  commit("three");
  for (const versions of [[], ["HEAD"]])
    await runJob(open(join(project, "sub")), { ...anyone, versions, cmds: ["./tool"], workloads: [], collectors: byTime });
  expect(pendingRuns().map(({ output }) => output)).toEqual(["sub\n", "sub\n"]);
});

test("an interrupt ends the run and keeps what was finished", async () => {
  const started = join(folder, "started");
  writeFileSync(join(project, "slow"), `#!/bin/sh\ntouch '${started}'\nsleep 600\n`);
  chmodSync(join(project, "slow"), 0o755);
  commit("slow");
  const job = { ...anyone, versions: ["HEAD"], cmds: ["./bench", "./slow", "./bench"], workloads: [], collectors: byTime };
  const outcome = code(runJob(open(), job));
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 10));
  process.emit("SIGINT");
  expect(await outcome).toBe("interrupted");
  expect(pendingRuns()).toMatchObject([{ output: "slow\n" }]);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
  expect(readdirSync(join(project, ".perun", "run"))).toEqual([]);
});

test("what cannot be planned fails before anything runs", async () => {
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect(await code(runJob(open(), { ...job, cmds: [] }))).toBe("nothing-to-run");
  expect(await code(runJob(open(), { ...job, collectors: [] }))).toBe("nothing-to-run");
  expect(await code(runJob(open(), { ...job, collectors: [{ name: "tyme", params: new Map() }] }))).toBe("unknown-plugin");
  expect(await code(runJob(open(), { ...job, collectors: [{ name: "time", params: new Map([["repeats", 1]]) }] }))).toBe(
    "unknown-collector-option",
  );
  expect(await code(runJob(open(), { ...job, versions: ["nowhere"] }))).toBe("unknown-revision");
  configure("collectors:\n  - params:\n      repeat: 1\n");
  expect(await code(runMatrix(open(), { ...anyone, confirm: async () => true }))).toBe("bad-config");
  expect(pendingRuns()).toEqual([]);
});

test("options of collectors are YAML, or a file of it", () => {
  writeFileSync(join(project, "params.yml"), "repeat: 5\n");
  expect([...readParams(open(), "params.yml")]).toEqual([["repeat", 5]]);
  expect([...readParams(open(), "repeat: 6")]).toEqual([["repeat", 6]]);
  expect([...readParams(open(), "")]).toEqual([]);
  expect(() => readParams(open(), "repeat")).toThrow("neither a file nor YAML");
  expect(() => readParams(open(), "[1")).toThrow("options of the collector");
});
