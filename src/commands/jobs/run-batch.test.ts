import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anyone, byTime, codeOf, MeasuredProject } from "../../../test/fakes/measured-project.ts";
import { isObject, JsonNumber, type Json } from "../../core/values/json.ts";
import { rowsOf, selectColumns } from "../../core/tables/table.ts";
import type { Setting } from "../../core/values/setting.ts";
import type { Run } from "../../core/profiles/run.ts";
import { runJob, runMatrix, type JobOptions } from "./run-jobs.ts";

let project: MeasuredProject;

/** Each call of `bench` appends a line to a file outside of the worktrees. */
beforeEach(() => {
  project = new MeasuredProject();
  for (const word of ["one", "two", "three"])
    project.commit(word, `echo "${word} $*" >> '${join(project.folder, "calls")}'; echo ${word} "$@"`);
});

afterEach(() => project.remove());

const job: JobOptions = { ...anyone, cmds: ["./bench"], workloads: [], collectors: byTime, confirm: async () => true };

const repeated = (repeat: number, warmup = 0): JobOptions["collectors"] => [
  {
    name: "time",
    params: new Map([
      ["warmup", warmup],
      ["repeat", repeat],
    ]),
  },
];

function some<T>(list: readonly T[]): readonly [T, ...T[]] {
  expect(list.length).toBeGreaterThan(0);
  return list as readonly [T, ...T[]];
}

/** Calls since the last check. */
function calls(): string[] {
  const file = join(project.folder, "calls");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  rmSync(file, { force: true });
  return lines.map((line) => line.trim());
}

function column(run: Run, name: string): unknown[] {
  return rowsOf(selectColumns(run.data, [name])).map(([cell]) => cell);
}

function at(json: Json | undefined, ...path: string[]): unknown {
  const found = path.reduce<Json | undefined>((inner, key) => (isObject(inner) ? inner.get(key) : undefined), json);
  return found instanceof JsonNumber ? found.value : found;
}

function batches(): string[] {
  const folder = join(project.path, ".perun", "run", "batches");
  return existsSync(folder) ? readdirSync(folder) : [];
}

test("postprocessors run in order and are recorded and named", async () => {
  const params = new Map<string, Setting>([
    ["regression_models", ["linear", "constant"]],
    ["depending_on", "order"],
  ]);
  const postprocessors = [
    { name: "filter", params: new Map([["where", "subtype=real"]]) },
    { name: "regression_analysis", params },
  ];
  const template = "%collector%-%postprocessors%-%regression_analysis.steps%";
  const result = await runJob(project.open(), {
    ...job,
    collectors: repeated(4),
    postprocessors,
    nameTemplate: template,
  });
  expect(result.failed).toEqual([]);
  const [{ name, run }] = some(project.pending());
  expect(name).toBe("time-after-filter-and-regression_analysis-3.perf");
  expect(run.steps.map((step) => step.name)).toEqual(["time", "filter", "regression_analysis"]);
  expect(new Set(column(run, "subtype"))).toEqual(new Set(["real"]));
  expect(run.models.map((model) => at(model, "model")).toSorted()).toEqual(["constant", "linear"]);
});

test("a failing postprocessor keeps the profile without its step and fails the job", async () => {
  const postprocessors = [
    { name: "filter", params: new Map([["where", "subtype=real"]]) },
    { name: "filter", params: new Map([["where", "nonsense"]]) },
  ];
  const plan = { ...job, workloads: ["a", "b"], postprocessors };
  const result = await runJob(project.open(), plan);
  expect(result.failed.map(({ failure }) => failure.code)).toEqual(["postprocessor-failed", "postprocessor-failed"]);
  expect(project.pending().map(({ run }) => run.steps.map((step) => step.name))).toEqual(
    [1, 2].map(() => ["time", "filter"]),
  );
  expect((await runJob(project.open(), { ...plan, resume: true })).resumed).toBe(0);
});

test("options of postprocessors are checked before anything runs", async () => {
  const wrong = [{ name: "moving-average", params: new Map([["sigma", 1]]) }];
  expect(await codeOf(runJob(project.open(), { ...job, postprocessors: wrong }))).toBe("unknown-collector-option");
  expect(
    await codeOf(runJob(project.open(), { ...job, postprocessors: [{ name: "nothing", params: new Map() }] })),
  ).toBe("unknown-plugin");
  expect(calls()).toEqual([]);
});

const generators = `generators:
  workload:
    - {id: sizes, type: integer, min_range: 1, max_range: 5, step: 2}
    - {id: each, type: integer, min_range: 1, max_range: 2, profile_for_each_workload: true}
    - {id: files, type: textfile, min_lines: 2, max_lines: 3}
    - id: made
      type: external
      external_generator: sh make-inputs
      output_dir: inputs
      file_format: "in_{rows}x{name}.txt"
`;

test("stores workloads of a generator in one profile with distinct rows", async () => {
  project.configure(generators);
  expect((await runJob(project.open(), { ...job, workloads: ["sizes"], collectors: repeated(2) })).failed).toEqual([]);
  expect(calls()).toEqual(["three 1", "three 1", "three 3", "three 3", "three 5", "three 5"]);
  const [{ run }] = some(project.pending());
  expect(run.fixed.get("workload")).toBe("sizes");
  expect(rowsOf(selectColumns(run.data, ["subtype", "workload", "order"]))).toEqual(
    ["real", "user", "sys"].flatMap((subtype) =>
      [1, 3, 5].flatMap((workload) => [1, 2].map((order) => [subtype, workload, order])),
    ),
  );
  expect(at(run.extra, "generator", "type")).toBe("integer");
  const subjects = at(run.extra, "noise", "subjects") as Json[];
  expect(subjects.map((subject) => at(subject, "workload")).toSorted()).toEqual([
    "1",
    "1",
    "1",
    "3",
    "3",
    "3",
    "5",
    "5",
    "5",
  ]);
});

test("workloads of a generator may go into one profile each", async () => {
  project.configure(generators);
  const { kept } = await runJob(project.open(), { ...job, workloads: ["each", "plain"] });
  expect(kept.map(({ workload }) => workload)).toEqual(["each_1", "each_2", "plain"]);
});

test("removes generated files and does not record their paths", async () => {
  project.configure(generators);
  await runJob(project.open(), { ...job, cmds: ["./bench", "cat"], workloads: ["files"] });
  expect(calls().every((call) => /^three \S+-lines\.txt$/.test(call))).toBe(true);
  const [first] = some(project.pending());
  expect([first.run.fixed.get("workload"), new Set(column(first.run, "lines"))]).toEqual(["files", new Set([2, 3])]);
  expect(readdirSync(join(project.path, ".perun", "run"))).toEqual([]);
});

test("an external generator creates files in the measured tree, with values in their names", async () => {
  project.configure(generators);
  project.program("make-inputs", "mkdir -p inputs; touch inputs/in_10xA.txt inputs/in_20xB.txt inputs/other");
  project.commit("four");
  const result = await runJob(project.open(), { ...job, versions: ["HEAD"], cmds: ["./bench"], workloads: ["made"] });
  expect(result.failed).toEqual([]);
  const [{ run, output }] = some(project.pending());
  expect(output).toMatch(/^four \/.*\/inputs\/in_20xB\.txt\n$/);
  expect(new Set(column(run, "rows"))).toEqual(new Set([10, 20]));
  expect(new Set(column(run, "workload"))).toEqual(new Set(["in_10xA.txt", "in_20xB.txt"]));
  expect(existsSync(join(project.path, "inputs"))).toBe(false);
});

test("generators of the local configuration require trust, and their options are checked first", async () => {
  project.configure(generators);
  expect(await codeOf(runJob(project.open(), { ...job, workloads: ["made"], confirm: null }))).toBe("not-trusted");
  project.configure(
    "generators: {workload: [{id: sizes, type: integer, min_range: 9, max_range: 1}, {id: odd, type: integers}]}\n",
  );
  const result = await runJob(project.open(), { ...job, workloads: ["sizes"] });
  expect(result.failed.map(({ failure }) => failure.code)).toEqual(["bad-collector-option"]);
  expect(await codeOf(runJob(project.open(), { ...job, workloads: ["odd"] }))).toBe("unknown-plugin");
});

test("a range selects the commits of the newer side that the older one lacks", async () => {
  const { kept } = await runJob(project.open(), { ...job, versions: ["HEAD~2..HEAD"] });
  expect(kept.map(({ version }) => version).toSorted()).toEqual(
    [project.head(), project.git("rev-parse", "HEAD~1")].toSorted(),
  );
  expect(await codeOf(runJob(project.open(), { ...job, versions: ["HEAD..HEAD"] }))).toBe("nothing-to-run");
});

test("interleaves repetitions of several commits", async () => {
  const versions = ["HEAD~2", "HEAD~1", "HEAD"];
  const { kept } = await runJob(project.open(), { ...job, versions, order: "interleaved", collectors: repeated(3, 2) });
  const round = ["one", "one", "two", "two", "three", "three"];
  expect(calls()).toEqual(["one", "one", "one", "two", "two", "two", "three", "three", "three", ...round, ...round]);
  expect(kept).toHaveLength(3);
  for (const { run } of project.pending()) {
    expect(column(run, "order")).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
    expect([at(run.steps[0]?.params, "repeat"), at(run.steps[0]?.params, "warmup")]).toEqual([3, 2]);
    expect([at(run.extra, "noise", "rounds"), at(run.extra, "noise", "order")]).toEqual([3, "interleaved"]);
    expect((at(run.extra, "execution", "status") as Json[]).length).toBe(3);
  }
  expect(project.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("a random order depends on its seed", async () => {
  const random: JobOptions = {
    ...job,
    versions: ["HEAD~2", "HEAD~1", "HEAD"],
    order: "random",
    rounds: 2,
    collectors: repeated(4),
  };
  await runJob(project.open(), random);
  const first = calls();
  await runJob(project.open(), { ...random, seed: 1 });
  expect(calls()).toEqual(first);
  await runJob(project.open(), { ...random, seed: 2 });
  const other = calls();
  expect([other.toSorted(), other.join() === first.join()]).toEqual([first.toSorted(), false]);
});

test("resuming repeats neither finished profiles nor finished rounds", async () => {
  const started = join(project.folder, "started");
  const slow = `if test -e '${join(project.folder, "quick")}'; then echo done; else touch '${started}'; sleep 600; fi`;
  project.program("slow", slow);
  project.commit("slow", `echo call >> '${join(project.folder, "calls")}'`);
  const plan: JobOptions = {
    ...job,
    cmds: ["./bench", "./slow"],
    workloads: ["a"],
    versions: ["HEAD"],
    order: "interleaved",
    collectors: repeated(2),
  };
  const outcome = codeOf(runJob(project.open(), plan));
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 10));
  process.emit("SIGINT");
  expect(await outcome).toBe("interrupted");
  expect([calls(), project.pending().length, batches().length]).toEqual([["call"], 0, 1]);
  writeFileSync(join(project.folder, "quick"), "");
  const resumed = await runJob(project.open(), { ...plan, resume: true });
  expect([resumed.kept.length, resumed.failed, resumed.resumed, batches()]).toEqual([2, [], 0, []]);
  expect(calls()).toEqual(["call"]);
  expect(project.pending().map(({ run }) => column(run, "order"))).toEqual([
    [1, 2, 1, 2, 1, 2],
    [1, 2, 1, 2, 1, 2],
  ]);
});

test("resuming repeats failed jobs only; without --resume the run starts over", async () => {
  const broken: JobOptions = { ...job, cmds: ["./bench", "./later"], versions: ["HEAD"] };
  project.program("later", `test -e '${join(project.folder, "ready")}'`);
  project.commit("later", `echo call >> '${join(project.folder, "calls")}'`);
  expect((await runJob(project.open(), broken)).failed.map(({ failure }) => failure.code)).toEqual(["command-failed"]);
  expect([calls(), batches().length]).toEqual([["call"], 1]);
  writeFileSync(join(project.folder, "ready"), "");
  const again = await runJob(project.open(), { ...broken, resume: true });
  expect([again.kept.map(({ cmd }) => cmd), again.resumed, calls(), batches()]).toEqual([["./later"], 1, [], []]);
  rmSync(join(project.folder, "ready"));
  await runJob(project.open(), broken);
  await runJob(project.open(), { ...broken });
  expect([calls(), batches().length]).toEqual([["call", "call"], 1]);
  for (const { name } of project.pending()) rmSync(join(project.path, ".perun", "jobs", name));
  expect((await runJob(project.open(), { ...broken, resume: true })).kept).toHaveLength(1);
});

test("the matrix of the configuration has postprocessors and generators", async () => {
  project.configure(
    "cmds: [./bench]\nworkloads: [sizes]\ncollectors: [{name: time, params: {warmup: 0, repeat: 1}}]\n" +
      `${generators}postprocessors:\n` +
      "  - {name: regression_analysis, params: {per_key: workload, regression_models: [linear]}}\n",
  );
  const result = await runMatrix(project.open(), job);
  expect(result.failed).toEqual([]);
  const models = project
    .pending()
    .map(({ run }) => run.models.map((model) => `${at(model, "model")} of ${at(model, "subtype")}`));
  expect(models).toEqual([["linear of real", "linear of user", "linear of sys"]]);
});

test("the matrix interleaves several commits by default, and reports it", async () => {
  project.configure("cmds: [./bench]\ncollectors: [{name: time, params: {warmup: 0, repeat: 2}}]\n");
  const versions = ["HEAD~1", "HEAD"];
  const notices: string[] = [];
  const orders = async (options: Partial<JobOptions>): Promise<unknown[]> => {
    const watcher = { notice: (text: string): void => void notices.push(text) };
    return (await runMatrix(project.open(), { ...job, ...options }, watcher)).kept.map(({ noise }) => noise.order);
  };
  expect(await orders({ versions })).toEqual(["interleaved", "interleaved"]);
  expect(notices).toEqual(["2 commits are measured in interleaved rounds (--order sequential: one after the other)"]);
  expect(await orders({ versions, order: "sequential" })).toEqual(["sequential", "sequential"]);
  expect(await orders({ versions: versions.slice(1) })).toEqual(["sequential"]);
  expect(notices).toHaveLength(1);
});

test("runs the command itself as warmup for collectors without warmup", async () => {
  project.program("print-amount", "echo amount: 1");
  project.commit("print-amount", `echo call >> '${join(project.folder, "calls")}'; echo 'amount: 1'`);
  await runJob(project.open(), { ...job, warmup: 2, collectors: repeated(1) });
  expect(calls()).toHaveLength(3);
  expect(
    await codeOf(runJob(project.open(), { ...job, rounds: 2, collectors: [{ name: "memory", params: new Map() }] })),
  ).toBe("unusable-combination");
});
