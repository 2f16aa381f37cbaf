import { existsSync, mkdirSync, readdirSync, writeFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MeasuredProject, anyone, byTime, codeOf as code, quick } from "../../../test/fakes/measured-project.ts";
import { collect } from "./collect.ts";
import { readParams } from "./job-matrix.ts";
import { runJob, runMatrix } from "./run-jobs.ts";

let place: MeasuredProject;

beforeEach(() => {
  place = new MeasuredProject();
  place.commit("one");
  place.commit("two");
});

afterEach(() => place.remove());

test("the user's tree is measured as it is, and left as it is", async () => {
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect((await runJob(place.open(), job)).kept).toMatchObject([
    { version: place.head(), cmd: "./bench", workload: "", collector: "time", object: null, dirty: false },
  ]);
  expect(place.pending()).toMatchObject([{ origin: place.head(), output: "two\n", dirty: false }]);
  expect(place.pending()[0]?.name).toBe("time-[bench]-[]-2026-01-01-00-00-00-000000.perf");
  expect(place.git("status", "--porcelain")).toBe("");
});

test("a tree with changes says so", async () => {
  writeFileSync(join(place.path, "bench"), "#!/bin/sh\necho changed\n");
  await collect(place.open(), { ...anyone, collector: "time", cmds: ["./bench"], workloads: [], params: quick });
  expect(place.pending()).toMatchObject([{ origin: place.head(), output: "changed\n", dirty: true }]);
});

test("other versions are measured in trees of their own", async () => {
  writeFileSync(join(place.path, "bench"), "#!/bin/sh\necho changed\n");
  const before = place.git("status", "--porcelain=v2");
  const job = {
    ...anyone,
    versions: ["HEAD", "HEAD~1", "main"],
    cmds: ["./bench"],
    workloads: ["a", "'b c'"],
    collectors: byTime,
  };
  const result = await runJob(place.open(), job);
  expect(result.failed).toEqual([]);
  expect(
    place
      .pending()
      .map(({ origin, output, dirty }) => [origin, output, dirty])
      .sort(),
  ).toEqual(
    [
      [place.head(), "two a\n", false],
      [place.head(), "two b c\n", false],
      [place.git("rev-parse", "HEAD~1"), "one a\n", false],
      [place.git("rev-parse", "HEAD~1"), "one b c\n", false],
    ].sort(),
  );
  expect(place.git("status", "--porcelain=v2")).toBe(before);
  expect(place.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("ancestors come along when asked for", async () => {
  const job = { ...anyone, crawlParents: true, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect((await runJob(place.open(), job)).kept.map((profile) => profile.version)).toEqual([
    place.head(),
    place.git("rev-parse", "HEAD~1"),
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

test("the matrix of a configuration runs after it was confirmed, and only then", async () => {
  place.configure(matrix);
  expect(await code(runMatrix(place.open(), anyone))).toBe("not-trusted");
  expect(existsSync(join(place.path, "built"))).toBe(false);
  const result = await runMatrix(place.open(), { ...anyone, confirm: async () => true });
  expect(result.kept.map(({ cmd, workload }) => `${cmd} ${workload}`)).toEqual(["./bench w", "./built w"]);
  expect(await code(runMatrix(place.open(), anyone))).toBe("fine");
});

test("profiles are registered at once when that is configured, but never dirty ones", async () => {
  place.configure("profiles:\n  register_after_run: true\n");
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  const [profile] = (await runJob(place.open(), job)).kept;
  expect(place.pending()).toEqual([]);
  expect(place.open().registered(place.head() as never)).toMatchObject([
    { name: profile?.name, object: profile?.object, cmd: "./bench" },
  ]);
  writeFileSync(join(place.path, "bench"), "#!/bin/sh\n");
  expect((await runJob(place.open(), job)).kept).toMatchObject([{ object: null, dirty: true }]);
});

test("what fails is listed and the rest is kept", async () => {
  const heard: number[] = [];
  const job = { ...anyone, cmds: ["false", "./none", "./bench"], workloads: [], collectors: byTime };
  const result = await runJob(place.open(), job, { progress: (done, total) => heard.push(done / total) });
  expect(result.failed.map(({ job: failed, failure }) => [failed?.cmd, failure.code])).toEqual([
    ["false", "command-failed"],
    ["./none", "command-not-found"],
  ]);
  expect(result.kept).toHaveLength(1);
  expect([heard.at(-1), heard.every((done, at) => done >= (heard[at - 1] ?? 0))]).toEqual([1, true]);
});

test("a version whose preparation fails is listed, with pipes understood and the others measured", async () => {
  place.configure("execute:\n  pre_run:\n    - cat bench | grep two\n");
  const job = {
    ...anyone,
    versions: ["HEAD~1", "HEAD"],
    confirm: async () => true,
    cmds: ["./bench"],
    workloads: [],
    collectors: byTime,
  };
  expect(await code(runJob(place.open(), { ...job, confirm: null }))).toBe("not-trusted");
  const result = await runJob(place.open(), job);
  expect(result.failed).toMatchObject([
    { version: place.git("rev-parse", "HEAD~1"), job: null, failure: { code: "pre-run-failed" } },
  ]);
  expect(result.kept).toMatchObject([{ version: place.head() }]);
  expect(await code(runJob(place.open(), { ...job, confirm: null }))).toBe("fine");
});

test("commands run where the user stands, in every version", async () => {
  mkdirSync(join(place.path, "sub"));
  writeFileSync(join(place.path, "sub", "tool"), '#!/bin/sh\nbasename "$PWD"\n');
  chmodSync(join(place.path, "sub", "tool"), 0o755);
  place.commit("three");
  for (const versions of [[], ["HEAD"]])
    await runJob(place.open(join(place.path, "sub")), {
      ...anyone,
      versions,
      cmds: ["./tool"],
      workloads: [],
      collectors: byTime,
    });
  expect(place.pending().map(({ output }) => output)).toEqual(["sub\n", "sub\n"]);
});

test("an interrupt ends the run and keeps what was finished", async () => {
  const started = join(place.folder, "started");
  writeFileSync(join(place.path, "slow"), `#!/bin/sh\ntouch '${started}'\nsleep 600\n`);
  chmodSync(join(place.path, "slow"), 0o755);
  place.commit("slow");
  const job = {
    ...anyone,
    versions: ["HEAD"],
    cmds: ["./bench", "./slow", "./bench"],
    workloads: [],
    collectors: byTime,
  };
  const outcome = code(runJob(place.open(), job));
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 10));
  process.emit("SIGINT");
  expect(await outcome).toBe("interrupted");
  expect(place.pending()).toMatchObject([{ output: "slow\n" }]);
  expect(place.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(readdirSync(join(place.path, ".perun", "run"))).toEqual(["batches"]);
});

test("what cannot be planned fails before anything runs", async () => {
  const job = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime };
  expect(await code(runJob(place.open(), { ...job, cmds: [] }))).toBe("nothing-to-run");
  expect(await code(runJob(place.open(), { ...job, collectors: [] }))).toBe("nothing-to-run");
  expect(await code(runJob(place.open(), { ...job, collectors: [{ name: "tyme", params: new Map() }] }))).toBe(
    "unknown-plugin",
  );
  expect(
    await code(runJob(place.open(), { ...job, collectors: [{ name: "time", params: new Map([["repeats", 1]]) }] })),
  ).toBe("unknown-collector-option");
  expect(await code(runJob(place.open(), { ...job, versions: ["nowhere"] }))).toBe("unknown-revision");
  place.configure("collectors:\n  - params:\n      repeat: 1\n");
  expect(await code(runMatrix(place.open(), { ...anyone, confirm: async () => true }))).toBe("bad-config");
  expect(place.pending()).toEqual([]);
});

test("options of collectors are YAML, or a file of it", () => {
  writeFileSync(join(place.path, "params.yml"), "repeat: 5\n");
  expect([...readParams(place.open(), "params.yml")]).toEqual([["repeat", 5]]);
  expect([...readParams(place.open(), "repeat: 6")]).toEqual([["repeat", 6]]);
  expect([...readParams(place.open(), "")]).toEqual([]);
  expect(() => readParams(place.open(), "repeat")).toThrow("neither a file nor YAML");
  expect(() => readParams(place.open(), "[1")).toThrow("options of the collector");
});
