import { splitCommand } from "../../core/command-line.ts";
import { Failure } from "../../core/errors.ts";
import { JsonNumber, jsonObject, type Json } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import type { Values } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import { profileOf } from "../../formats/profile-of.ts";
import {
  type Collector,
  collectorOption as option,
  countOf,
  executionOf,
  type FoundRun,
  type Job,
  type Outcome,
  outputLimit,
  requireSuccess,
  runOptions,
  type Shell,
  timeoutOf,
} from "./collector.ts";
import { subjectsOf, unitsOf } from "./command-rows.ts";

/** What a command may print; all of it is read from memory. */
const longestOutput = 64 << 20;

const mostRepetitions = 100_000;

const options: readonly Variable[] = [
  option("experiment", "text", null, "file of the experiment description that names what is measured"),
  option("description", "text", null, "file of the input description that says where the output has it"),
  { ...option("stream", "string", "stdout", "what of its output is read"), valid: ["stdout", "stderr"] },
  option("warmup", "integer", 0, "calls before the first that counts"),
  option("repeat", "integer", 1, "calls that count"),
  ...runOptions("what was printed"),
];

/** Runs any benchmark program and takes its rows from what it prints, by an experiment and an input description. */
export const command: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "command",
  synopsis: "what a benchmark program prints, read by an input description",
  options,
  profileType: "mixed",

  async prepare() {},

  async collect(job, shell, progress = () => {}) {
    const plan = planOf(job.params);
    const argv = splitCommand(`${job.cmd} ${job.workload}`);
    const outcomes: Outcome[] = [];
    const calls: (readonly FoundRun[])[] = [];
    for (let call = 0; call < plan.warmup + plan.repeat; call++) {
      const outcome = await callOnce(argv, job, shell, plan);
      if (call >= plan.warmup) {
        calls.push(await read(outcome, job, plan));
        outcomes.push(withoutFlood(outcome));
      }
      progress((call + 1) / (plan.warmup + plan.repeat));
    }
    return runOf(job, plan, outcomes, calls);
  },
});

interface Plan {
  readonly experiment: string;
  readonly description: string;
  readonly stream: "stdout" | "stderr";
  readonly warmup: number;
  readonly repeat: number;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
  readonly keepOutput: boolean;
}

function planOf(params: Values): Plan {
  return {
    experiment: fileOf(params, "experiment", "bench.exp"),
    description: fileOf(params, "description", "bench.inp"),
    stream: params.get("stream") === "stderr" ? "stderr" : "stdout",
    warmup: countOf("command", params, "warmup", 0, 0, mostRepetitions),
    repeat: countOf("command", params, "repeat", 1, 1, mostRepetitions),
    timeout: timeoutOf("command", params),
    allowFailure: params.get("allow-failure") === true,
    keepOutput: params.get("keep-output") !== false,
  };
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

async function callOnce(argv: readonly string[], job: Job, shell: Shell, { timeout, allowFailure }: Plan): Promise<Outcome> {
  const limits = { captureLimit: longestOutput, ...(timeout === null ? {} : { timeoutSeconds: timeout }) };
  const outcome = await shell.run(argv, { directory: job.directory, ...limits });
  if (!allowFailure) requireSuccess(outcome, job);
  return outcome;
}

async function read(outcome: Outcome, job: Job, { experiment, description, stream }: Plan): Promise<readonly FoundRun[]> {
  const what = `'${`${job.cmd} ${job.workload}`.trim()}'`;
  if (outcome.truncated || job.reader === undefined) throw new Failure("unreadable-output", { what, most: longestOutput >> 20 });
  return job.reader(outcome[stream], { experiment, input: description });
}

/** What is recorded of an outcome is short, and many are kept. */
function withoutFlood(outcome: Outcome): Outcome {
  const [stdout, stderr] = [outcome.stdout.slice(0, outputLimit), outcome.stderr.slice(0, outputLimit)];
  return { ...outcome, stdout, stderr, truncated: outcome.stdout.length > outputLimit || outcome.stderr.length > outputLimit };
}

function runOf(job: Job, plan: Plan, outcomes: readonly Outcome[], calls: readonly (readonly FoundRun[])[]): Run {
  const { cmd, workload, machine } = job;
  const params = jsonObject({
    experiment: plan.experiment,
    description: plan.description,
    stream: plan.stream,
    warmup: JsonNumber.integer(plan.warmup),
    repeat: JsonNumber.integer(plan.repeat),
    ...(plan.timeout === null ? {} : { timeout: JsonNumber.float(plan.timeout) }),
    ...(plan.allowFailure ? { "allow-failure": true } : {}),
  });
  const collector = { name: "command", params };
  const run = profileOf({ type: "mixed", cmd, workload, units: unitsOf(calls), collector, machine, subjects: subjectsOf(cmd, calls) });
  return { ...run, extra: new Map<string, Json>([...run.extra, ["execution", executionOf(outcomes, plan.keepOutput)]]) };
}
