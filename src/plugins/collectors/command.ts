import { readFileSync, statSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import { splitCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { ParsedRun } from "../../core/experiments/index.ts";
import {
  jsonObject,
  type Json,
  settingLines,
  settingsIn,
  type Settings,
  type Values,
} from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { subjectsOf, unitsOf, profileOf } from "../../formats/profile/index.ts";
import {
  type Collector,
  collectorOption as option,
  type Job,
  type OutputForm,
  type Outcome,
  outputLimit,
  requireSuccess,
  type Shell,
} from "./collector.ts";
import {
  type RepeatPlan,
  limitsOf,
  repeatParams,
  repeatPlan,
  runOptions,
  runParams,
  withExecution,
} from "./run-plan.ts";

/** Maximum output in bytes; it is buffered in memory. */
const maxOutputLength = 64 << 20;

const maxRepetitions = 100_000;

const options: readonly Variable[] = [
  option("from", "string", null, "format of the output: name of a known format, or auto"),
  option("from-params", "text", null, "options of that format, one NAME=VALUE per line: parameters=size"),
  option("result", "text", null, "parse this file instead of the output; relative to the command's directory"),
  option("experiment", "text", null, "experiment description file, which defines the variables"),
  option("description", "text", null, "input description file, which locates the values in the output"),
  { ...option("stream", "string", "stdout", "output stream to parse"), valid: ["stdout", "stderr"] },
  option("warmup", "integer", 0, "unrecorded calls before the first recorded one"),
  option("repeat", "integer", 1, "number of recorded calls"),
  ...runOptions("the results"),
];

/** Runs any benchmark program and parses its output, by a known format or an experiment and an input description. */
export const command: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "command",
  synopsis: "output of a benchmark program, parsed as a known format or by an input description",
  options,
  profileType: "mixed",

  async prepare() {},

  async collect(job, shell, progress = () => {}) {
    const plan = planOf(job.params);
    const argv = splitCommand(`${job.cmd} ${job.workload}`);
    const outcomes: Outcome[] = [];
    const calls: (readonly ParsedRun[])[] = [];
    for (let call = 0; call < plan.warmup + plan.repeat; call++) {
      const before = plan.result === null ? null : inspect(job, plan.result);
      const outcome = await callOnce(argv, job, shell, plan);
      if (call >= plan.warmup) {
        calls.push(await read(outcome, job, plan, before));
        outcomes.push(withTruncatedOutput(outcome));
      }
      progress((call + 1) / (plan.warmup + plan.repeat));
    }
    return runOf(job, plan, outcomes, calls);
  },
});

interface Plan extends RepeatPlan {
  readonly form: OutputForm;
  readonly result: string | null;
  readonly stream: "stdout" | "stderr";
}

function planOf(params: Values): Plan {
  return {
    form: formOf(params),
    result: params.get("result") == null ? null : fileOf(params, "result", "results.json"),
    stream: params.get("stream") === "stderr" ? "stderr" : "stdout",
    ...repeatPlan("command", params, { warmup: 0, repeat: 1 }, maxRepetitions),
  };
}

function formOf(params: Values): OutputForm {
  const from = params.get("from") ?? null;
  const settings = formatSettings(params);
  if (from === null && settings.size > 0)
    throw new Failure("unusable-combination", {
      what: "from-params without from",
      instead: "name the format, or auto: from",
    });
  if (from === null)
    return { experiment: fileOf(params, "experiment", "bench.exp"), input: fileOf(params, "description", "bench.inp") };
  if ((params.get("experiment") ?? null) === null && (params.get("description") ?? null) === null)
    return { from: String(from), options: settings, path: "-" };
  const what = "the output is read either as a known format or by descriptions";
  throw new Failure("unusable-combination", { what, instead: "give from, or experiment and description" });
}

function formatSettings(params: Values): Settings {
  const text = String(params.get("from-params") ?? "");
  const settings = settingsIn(text === "" ? [] : text.split("\n"));
  if (settings !== undefined) return settings;
  const expected = "one NAME=VALUE per line";
  throw new Failure("bad-collector-option", {
    plugin: "command",
    option: "from-params",
    value: text.slice(0, 80),
    expected,
    example: "parameters=size",
  });
}

function fileOf(params: Values, name: string, example: string): string {
  const value = params.get(name) ?? "";
  if (typeof value === "string" && value !== "") return value;
  throw new Failure("bad-collector-option", {
    plugin: "command",
    option: name,
    value: String(value),
    expected: "the name of a file",
    example,
  });
}

async function callOnce(argv: readonly string[], job: Job, shell: Shell, plan: Plan): Promise<Outcome> {
  const outcome = await shell.run(argv, limitsOf(plan, job, maxOutputLength));
  if (!plan.allowFailure) requireSuccess(outcome, job);
  return outcome;
}

async function read(outcome: Outcome, job: Job, plan: Plan, before: Stats | null): Promise<readonly ParsedRun[]> {
  const what = `'${`${job.cmd} ${job.workload}`.trim()}'`;
  const output = plan.result === null ? outcome[plan.stream] : readResult(job, plan.result, before, what);
  if ((plan.result === null && outcome.truncated) || output.length > maxOutputLength || job.reader === undefined)
    throw new Failure("unreadable-output", { what, most: maxOutputLength >> 20 });
  return job.reader(output, "from" in plan.form ? { ...plan.form, path: plan.result ?? what } : plan.form);
}

/** The result file of this call. Fails with `no-result-written` when the file did not change. */
function readResult(job: Job, result: string, before: Stats | null, what: string): Uint8Array {
  const after = inspect(job, result);
  if (
    after === null ||
    (before !== null && after.mtimeMs === before.mtimeMs && after.ino === before.ino && after.size === before.size)
  )
    throw new Failure("no-result-written", { what, file: result });
  if (after.size > maxOutputLength) throw new Failure("unreadable-output", { what, most: maxOutputLength >> 20 });
  return readFileSync(resolve(job.directory, result));
}

function inspect({ directory }: Job, result: string): Stats | null {
  const stats = statSync(resolve(directory, result), { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats : null;
}

/** Truncates the output to what profiles record, since many outcomes are kept. */
function withTruncatedOutput(outcome: Outcome): Outcome {
  const [stdout, stderr] = [outcome.stdout.slice(0, outputLimit), outcome.stderr.slice(0, outputLimit)];
  return {
    ...outcome,
    stdout,
    stderr,
    truncated: outcome.stdout.length > outputLimit || outcome.stderr.length > outputLimit,
  };
}

function formatParams({ from, options: settings }: Extract<OutputForm, { from: string }>): Record<string, Json> {
  return { from, ...(settings.size === 0 ? {} : { "from-params": settingLines(settings) }) };
}

function runOf(job: Job, plan: Plan, outcomes: readonly Outcome[], calls: readonly (readonly ParsedRun[])[]): Run {
  const { cmd, workload, machine } = job;
  const params = jsonObject({
    ...("from" in plan.form
      ? formatParams(plan.form)
      : { experiment: plan.form.experiment, description: plan.form.input }),
    ...(plan.result === null ? {} : { result: plan.result }),
    stream: plan.stream,
    ...repeatParams(plan),
    ...runParams(plan),
  });
  const collector = { name: "command", params };
  const subjects = subjectsOf(cmd, calls, "from" in plan.form ? "benchmark" : undefined);
  const run = profileOf({ type: "mixed", cmd, workload, units: unitsOf(calls), collector, machine, subjects });
  return withExecution(run, outcomes, plan);
}
