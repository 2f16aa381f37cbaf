import { existsSync, mkdirSync, readdirSync, writeFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { canaryFromJson } from "../../core/profiles/canary.ts";
import { MeasuredProject, anyone, byTime, codeOf as code, quick } from "../../../test/fakes/measured-project.ts";
import { collect } from "./collect.ts";
import { readParams } from "./job-matrix.ts";
import { runJob, runMatrix } from "./run-jobs.ts";

let project: MeasuredProject;

beforeEach(() => {
  project = new MeasuredProject();
  project.commit("one");
  project.commit("two");
});

afterEach(() => project.remove());

test("measures the working tree without changing it", async () => {
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect((await runJob(project.open(), job)).kept).toMatchObject([
    { version: project.head(), cmd: "./bench", workload: "", collector: "time", object: null, dirty: false },
  ]);
  expect(project.pending()).toMatchObject([{ origin: project.head(), output: "two\n", dirty: false }]);
  expect(project.pending()[0]?.name).toBe("time-[bench]-[_]-2026-01-01-00-00-00-000000.perf");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("times the canary next to each measurement if asked to, or configured", async () => {
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  await runJob(project.open(), job);
  await runJob(project.open(), { ...job, canary: true });
  project.configure("execute: {canary: true}\n");
  await runJob(project.open(), job);
  const counts = project.pending().map(({ run }) => canaryFromJson(run.extra.get("canary")).length);
  expect(counts.sort((a, b) => a - b)).toEqual([0, 10, 10]);
});

test("marks profiles of a dirty tree", async () => {
  writeFileSync(join(project.path, "bench"), "#!/bin/sh\necho changed\n");
  await collect(project.open(), { ...anyone, collector: "time", cmds: ["./bench"], workloads: [], params: quick });
  expect(project.pending()).toMatchObject([{ origin: project.head(), output: "changed\n", dirty: true }]);
});

test("measures other commits in worktrees", async () => {
  writeFileSync(join(project.path, "bench"), "#!/bin/sh\necho changed\n");
  const before = project.git("status", "--porcelain=v2");
  const job = {
    ...anyone,
    versions: ["HEAD", "HEAD~1", "main"],
    cmds: ["./bench"],
    workloads: ["a", "'b c'"],
    collectors: byTime,
  };
  const result = await runJob(project.open(), job);
  expect(result.failed).toEqual([]);
  expect(
    project
      .pending()
      .map(({ origin, output, dirty }) => [origin, output, dirty])
      .sort(),
  ).toEqual(
    [
      [project.head(), "two a\n", false],
      [project.head(), "two b c\n", false],
      [project.git("rev-parse", "HEAD~1"), "one a\n", false],
      [project.git("rev-parse", "HEAD~1"), "one b c\n", false],
    ].sort(),
  );
  expect(project.git("status", "--porcelain=v2")).toBe(before);
  expect(project.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("measures ancestors on request", async () => {
  const job = { ...anyone, crawlParents: true, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect((await runJob(project.open(), job)).kept.map((profile) => profile.version)).toEqual([
    project.head(),
    project.git("rev-parse", "HEAD~1"),
  ]);
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

test("runs the configured matrix only after confirmation", async () => {
  project.configure(matrix);
  expect(await code(runMatrix(project.open(), anyone))).toBe("not-trusted");
  expect(existsSync(join(project.path, "built"))).toBe(false);
  const result = await runMatrix(project.open(), { ...anyone, confirm: async () => true });
  expect(result.kept.map(({ cmd, workload }) => `${cmd} ${workload}`)).toEqual(["./bench w", "./built w"]);
  expect(await code(runMatrix(project.open(), anyone))).toBe("fine");
});

test("registers profiles at once if configured, except dirty ones", async () => {
  project.configure("profiles:\n  register_after_run: true\n");
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  const [profile] = (await runJob(project.open(), job)).kept;
  expect(project.pending()).toEqual([]);
  expect(project.open().registered(project.head() as never)).toMatchObject([
    { name: profile?.name, object: profile?.object, cmd: "./bench" },
  ]);
  writeFileSync(join(project.path, "bench"), "#!/bin/sh\n");
  expect((await runJob(project.open(), job)).kept).toMatchObject([{ object: null, dirty: true }]);
});

test("reports failures and keeps other profiles", async () => {
  const heard: number[] = [];
  const job = { ...anyone, cmds: ["false", "./none", "./bench"], workloads: [], collectors: byTime };
  const result = await runJob(project.open(), job, { progress: (done, total) => heard.push(done / total) });
  expect(result.failed.map(({ job: failed, failure }) => [failed?.cmd, failure.code])).toEqual([
    ["false", "command-failed"],
    ["./none", "command-not-found"],
  ]);
  expect(result.kept).toHaveLength(1);
  expect([heard.at(-1), heard.every((done, at) => done >= (heard[at - 1] ?? 0))]).toEqual([1, true]);
});

test("reports a commit whose pre_run fails and measures the others; pre_run supports pipes", async () => {
  project.configure("execute:\n  pre_run:\n    - cat bench | grep two\n");
  const job = {
    ...anyone,
    versions: ["HEAD~1", "HEAD"],
    confirm: async () => true,
    cmds: ["./bench"],
    workloads: [],
    collectors: byTime,
  };
  expect(await code(runJob(project.open(), { ...job, confirm: null }))).toBe("not-trusted");
  const result = await runJob(project.open(), job);
  expect(result.failed).toMatchObject([
    { version: project.git("rev-parse", "HEAD~1"), job: null, failure: { code: "pre-run-failed" } },
  ]);
  expect(result.kept).toMatchObject([{ version: project.head() }]);
  expect(await code(runJob(project.open(), { ...job, confirm: null }))).toBe("fine");
});

test("runs commands in the current subdirectory of every worktree", async () => {
  mkdirSync(join(project.path, "sub"));
  writeFileSync(join(project.path, "sub", "tool"), '#!/bin/sh\nbasename "$PWD"\n');
  chmodSync(join(project.path, "sub", "tool"), 0o755);
  project.commit("three");
  for (const versions of [[], ["HEAD"]])
    await runJob(project.open(join(project.path, "sub")), {
      ...anyone,
      versions,
      cmds: ["./tool"],
      workloads: [],
      collectors: byTime,
    });
  expect(project.pending().map(({ output }) => output)).toEqual(["sub\n", "sub\n"]);
});

test("an interrupt ends the run and keeps finished profiles", async () => {
  const started = join(project.folder, "started");
  writeFileSync(join(project.path, "slow"), `#!/bin/sh\ntouch '${started}'\nsleep 600\n`);
  chmodSync(join(project.path, "slow"), 0o755);
  project.commit("slow");
  const job = {
    ...anyone,
    versions: ["HEAD"],
    cmds: ["./bench", "./slow", "./bench"],
    workloads: [],
    collectors: byTime,
  };
  const outcome = code(runJob(project.open(), job));
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 10));
  process.emit("SIGINT");
  expect(await outcome).toBe("interrupted");
  expect(project.pending()).toMatchObject([{ output: "slow\n" }]);
  expect(project.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(readdirSync(join(project.path, ".perun", "run"))).toEqual(["batches"]);
});

test("a matrix without collectors measures time, and says so", async () => {
  project.configure("cmds:\n  - ./bench\n");
  const notices: string[] = [];
  const asked = { ...anyone, confirm: async () => true };
  const result = await runMatrix(project.open(), asked, { notice: (text) => notices.push(text) });
  expect(result.kept.map(({ collector }) => collector)).toEqual(["time"]);
  expect(notices).toEqual(["measuring with the collector time, since the key collectors names none"]);
});

test("invalid plans fail before anything runs", async () => {
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect(await code(runJob(project.open(), { ...job, cmds: [] }))).toBe("nothing-to-run");
  expect(await code(runJob(project.open(), { ...job, collectors: [] }))).toBe("nothing-to-run");
  expect(await code(runJob(project.open(), { ...job, collectors: [{ name: "tyme", params: new Map() }] }))).toBe(
    "unknown-plugin",
  );
  expect(
    await code(runJob(project.open(), { ...job, collectors: [{ name: "time", params: new Map([["repeats", 1]]) }] })),
  ).toBe("unknown-collector-option");
  expect(await code(runJob(project.open(), { ...job, versions: ["nowhere"] }))).toBe("unknown-revision");
  project.configure("collectors:\n  - params:\n      repeat: 1\n");
  expect(await code(runMatrix(project.open(), { ...anyone, confirm: async () => true }))).toBe("bad-config");
  expect(project.pending()).toEqual([]);
});

test("reads collector options as YAML or from a YAML file", () => {
  writeFileSync(join(project.path, "params.yml"), "repeat: 5\n");
  expect([...readParams(project.open(), "params.yml")]).toEqual([["repeat", 5]]);
  expect([...readParams(project.open(), "repeat: 6")]).toEqual([["repeat", 6]]);
  expect([...readParams(project.open(), "repeat: 6, warmup: 1")]).toEqual(Object.entries({ repeat: 6, warmup: 1 }));
  expect(() => readParams(project.open(), "repeat: 6, warmup: 1: 2")).toThrow("options of the collector");
  expect([...readParams(project.open(), "")]).toEqual([]);
  expect(() => readParams(project.open(), "repeat")).toThrow("neither a file nor YAML");
  expect(() => readParams(project.open(), "[1")).toThrow("options of the collector");
});
