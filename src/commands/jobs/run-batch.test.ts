import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anyone, byTime, codeOf, MeasuredProject } from "../../../test/fakes/measured-project.ts";
import { isObject, JsonNumber, type Json } from "../../core/values/json.ts";
import { rowsOf, selectColumns } from "../../core/tables/table.ts";
import type { Setting } from "../../core/values/setting.ts";
import type { Run } from "../../core/profiles/run.ts";
import { runJob, runMatrix, type JobOptions } from "./run-jobs.ts";

let place: MeasuredProject;

/** Each call of `bench` leaves a line in a file outside of the trees. */
beforeEach(() => {
  place = new MeasuredProject();
  for (const word of ["one", "two", "three"])
    place.commit(word, `echo "${word} $*" >> '${join(place.folder, "calls")}'; echo ${word} "$@"`);
});

afterEach(() => place.remove());

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

/** What was called since the last time. */
function calls(): string[] {
  const file = join(place.folder, "calls");
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
  const folder = join(place.path, ".perun", "run", "batches");
  return existsSync(folder) ? readdirSync(folder) : [];
}

test("postprocessors follow each other, are recorded and named", async () => {
  const params = new Map<string, Setting>([
    ["regression_models", ["linear", "constant"]],
    ["depending_on", "order"],
  ]);
  const postprocessors = [
    { name: "filter", params: new Map([["where", "subtype=real"]]) },
    { name: "regression_analysis", params },
  ];
  const template = "%collector%-%postprocessors%-%regression_analysis.steps%";
  const result = await runJob(place.open(), {
    ...job,
    collectors: repeated(4),
    postprocessors,
    nameTemplate: template,
  });
  expect(result.failed).toEqual([]);
  const [{ name, run }] = some(place.pending());
  expect(name).toMatch(/^time-after-filter-and-regression_analysis-3-/);
  expect(run.steps.map((step) => step.name)).toEqual(["time", "filter", "regression_analysis"]);
  expect(new Set(column(run, "subtype"))).toEqual(new Set(["real"]));
  expect(run.models.map((model) => at(model, "model")).toSorted()).toEqual(["constant", "linear"]);
});

test("a postprocessor that fails leaves the profile without its step, and the job failed", async () => {
  const postprocessors = [
    { name: "filter", params: new Map([["where", "subtype=real"]]) },
    { name: "filter", params: new Map([["where", "nonsense"]]) },
  ];
  const plan = { ...job, workloads: ["a", "b"], postprocessors };
  const result = await runJob(place.open(), plan);
  expect(result.failed.map(({ failure }) => failure.code)).toEqual(["postprocessor-failed", "postprocessor-failed"]);
  expect(place.pending().map(({ run }) => run.steps.map((step) => step.name))).toEqual(
    [1, 2].map(() => ["time", "filter"]),
  );
  expect((await runJob(place.open(), { ...plan, resume: true })).resumed).toBe(0);
});

test("options of postprocessors are checked before anything runs", async () => {
  const wrong = [{ name: "moving-average", params: new Map([["sigma", 1]]) }];
  expect(await codeOf(runJob(place.open(), { ...job, postprocessors: wrong }))).toBe("unknown-collector-option");
  expect(await codeOf(runJob(place.open(), { ...job, postprocessors: [{ name: "nothing", params: new Map() }] }))).toBe(
    "unknown-plugin",
  );
  expect(calls()).toEqual([]);
});

const generators = `generators:
  workload:
    - {id: sizes, type: integer, min_range: 1, max_range: 5, step: 2}
    - {id: each, type: integer, min_range: 1, max_range: 2, profile_for_each_workload: true}
    - {id: files, type: textfile, min_lines: 2, max_lines: 3}
    - {id: made, type: external, external_generator: sh make-inputs, output_dir: inputs, file_format: "in_{rows}x{name}.txt"}
`;

test("workloads of a generator go into one profile, whose rows tell them apart", async () => {
  place.configure(generators);
  expect((await runJob(place.open(), { ...job, workloads: ["sizes"], collectors: repeated(2) })).failed).toEqual([]);
  expect(calls()).toEqual(["three 1", "three 1", "three 3", "three 3", "three 5", "three 5"]);
  const [{ run }] = some(place.pending());
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

test("or into one profile each", async () => {
  place.configure(generators);
  const { kept } = await runJob(place.open(), { ...job, workloads: ["each", "plain"] });
  expect(kept.map(({ workload }) => workload)).toEqual(["each_1", "each_2", "plain"]);
});

test("generated files are removed afterwards, and their paths are not recorded", async () => {
  place.configure(generators);
  await runJob(place.open(), { ...job, cmds: ["./bench", "cat"], workloads: ["files"] });
  expect(calls().every((call) => /^three \S+-lines\.txt$/.test(call))).toBe(true);
  const [first] = some(place.pending());
  expect([first.run.fixed.get("workload"), new Set(column(first.run, "lines"))]).toEqual(["files", new Set([2, 3])]);
  expect(readdirSync(join(place.path, ".perun", "run"))).toEqual([]);
});

test("a command of the user's makes files in the tree that is measured, and their names tell values", async () => {
  place.configure(generators);
  place.program("make-inputs", "mkdir -p inputs; touch inputs/in_10xA.txt inputs/in_20xB.txt inputs/other");
  place.commit("four");
  const result = await runJob(place.open(), { ...job, versions: ["HEAD"], cmds: ["./bench"], workloads: ["made"] });
  expect(result.failed).toEqual([]);
  const [{ run, output }] = some(place.pending());
  expect(output).toMatch(/^four \/.*\/inputs\/in_20xB\.txt\n$/);
  expect(new Set(column(run, "rows"))).toEqual(new Set([10, 20]));
  expect(new Set(column(run, "workload"))).toEqual(new Set(["in_10xA.txt", "in_20xB.txt"]));
  expect(existsSync(join(place.path, "inputs"))).toBe(false);
});

test("generators of the local configuration need trust, and what they are asked is checked first", async () => {
  place.configure(generators);
  expect(await codeOf(runJob(place.open(), { ...job, workloads: ["made"], confirm: null }))).toBe("not-trusted");
  place.configure(
    "generators: {workload: [{id: sizes, type: integer, min_range: 9, max_range: 1}, {id: odd, type: integers}]}\n",
  );
  const result = await runJob(place.open(), { ...job, workloads: ["sizes"] });
  expect(result.failed.map(({ failure }) => failure.code)).toEqual(["bad-collector-option"]);
  expect(await codeOf(runJob(place.open(), { ...job, workloads: ["odd"] }))).toBe("unknown-plugin");
});

test("a range means the versions of the newer side that the older has not", async () => {
  const { kept } = await runJob(place.open(), { ...job, versions: ["HEAD~2..HEAD"] });
  expect(kept.map(({ version }) => version).toSorted()).toEqual(
    [place.head(), place.git("rev-parse", "HEAD~1")].toSorted(),
  );
  expect(await codeOf(runJob(place.open(), { ...job, versions: ["HEAD..HEAD"] }))).toBe("nothing-to-run");
});

test("repetitions of several versions take turns when they are to be interleaved", async () => {
  const versions = ["HEAD~2", "HEAD~1", "HEAD"];
  const { kept } = await runJob(place.open(), { ...job, versions, order: "interleaved", collectors: repeated(3, 2) });
  const round = ["one", "one", "two", "two", "three", "three"];
  expect(calls()).toEqual(["one", "one", "one", "two", "two", "two", "three", "three", "three", ...round, ...round]);
  expect(kept).toHaveLength(3);
  for (const { run } of place.pending()) {
    expect(column(run, "order")).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
    expect([at(run.steps[0]?.params, "repeat"), at(run.steps[0]?.params, "warmup")]).toEqual([3, 2]);
    expect([at(run.extra, "noise", "rounds"), at(run.extra, "noise", "order")]).toEqual([3, "interleaved"]);
    expect((at(run.extra, "execution", "status") as Json[]).length).toBe(3);
  }
  expect(place.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("a random order is the one of its seed", async () => {
  const random: JobOptions = {
    ...job,
    versions: ["HEAD~2", "HEAD~1", "HEAD"],
    order: "random",
    rounds: 2,
    collectors: repeated(4),
  };
  await runJob(place.open(), random);
  const first = calls();
  await runJob(place.open(), { ...random, seed: 1 });
  expect(calls()).toEqual(first);
  await runJob(place.open(), { ...random, seed: 2 });
  const other = calls();
  expect([other.toSorted(), other.join() === first.join()]).toEqual([first.toSorted(), false]);
});

test("what was finished before an interrupt is not measured again, neither profiles nor rounds", async () => {
  const started = join(place.folder, "started");
  const slow = `if test -e '${join(place.folder, "quick")}'; then echo done; else touch '${started}'; sleep 600; fi`;
  place.program("slow", slow);
  place.commit("slow", `echo call >> '${join(place.folder, "calls")}'`);
  const plan: JobOptions = {
    ...job,
    cmds: ["./bench", "./slow"],
    workloads: ["a"],
    versions: ["HEAD"],
    order: "interleaved",
    collectors: repeated(2),
  };
  const outcome = codeOf(runJob(place.open(), plan));
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 10));
  process.emit("SIGINT");
  expect(await outcome).toBe("interrupted");
  expect([calls(), place.pending().length, batches().length]).toEqual([["call"], 0, 1]);
  writeFileSync(join(place.folder, "quick"), "");
  const resumed = await runJob(place.open(), { ...plan, resume: true });
  expect([resumed.kept.length, resumed.failed, resumed.resumed, batches()]).toEqual([2, [], 0, []]);
  expect(calls()).toEqual(["call"]);
  expect(place.pending().map(({ run }) => column(run, "order"))).toEqual([
    [1, 2, 1, 2, 1, 2],
    [1, 2, 1, 2, 1, 2],
  ]);
});

test("a run that failed in parts goes on with those; without --resume it begins anew", async () => {
  const broken: JobOptions = { ...job, cmds: ["./bench", "./later"], versions: ["HEAD"] };
  place.program("later", `test -e '${join(place.folder, "ready")}'`);
  place.commit("later", `echo call >> '${join(place.folder, "calls")}'`);
  expect((await runJob(place.open(), broken)).failed.map(({ failure }) => failure.code)).toEqual(["command-failed"]);
  expect([calls(), batches().length]).toEqual([["call"], 1]);
  writeFileSync(join(place.folder, "ready"), "");
  const again = await runJob(place.open(), { ...broken, resume: true });
  expect([again.kept.map(({ cmd }) => cmd), again.resumed, calls(), batches()]).toEqual([["./later"], 1, [], []]);
  rmSync(join(place.folder, "ready"));
  await runJob(place.open(), broken);
  await runJob(place.open(), { ...broken });
  expect([calls(), batches().length]).toEqual([["call", "call"], 1]);
  for (const { name } of place.pending()) rmSync(join(place.path, ".perun", "jobs", name));
  expect((await runJob(place.open(), { ...broken, resume: true })).kept).toHaveLength(1);
});

test("the matrix of the configuration has postprocessors and generators", async () => {
  place.configure(
    `cmds: [./bench]\nworkloads: [sizes]\ncollectors: [{name: time, params: {warmup: 0, repeat: 1}}]\n${generators}postprocessors: [{name: regression_analysis, params: {per_key: workload, regression_models: [linear]}}]\n`,
  );
  const result = await runMatrix(place.open(), job);
  expect(result.failed).toEqual([]);
  const models = place
    .pending()
    .map(({ run }) => run.models.map((model) => `${at(model, "model")} of ${at(model, "subtype")}`));
  expect(models).toEqual([["linear of real", "linear of user", "linear of sys"]]);
});

test("a collector that cannot warm up is preceded by the command itself", async () => {
  place.program("tell", "echo amount: 1");
  place.commit("tell", `echo call >> '${join(place.folder, "calls")}'; echo 'amount: 1'`);
  await runJob(place.open(), { ...job, warmup: 2, collectors: repeated(1) });
  expect(calls()).toHaveLength(3);
  expect(
    await codeOf(runJob(place.open(), { ...job, rounds: 2, collectors: [{ name: "memory", params: new Map() }] })),
  ).toBe("unusable-combination");
});
