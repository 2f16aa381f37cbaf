import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { profileOf } from "../../formats/profile/index.ts";
import {
  type Collector,
  collectorOption as option,
  countOf,
  type Job,
  type Outcome,
  requireProgram,
  requireSuccess,
  type Shell,
} from "./collector.ts";
import { type RepeatPlan, repeatParams, repeatPlan, runOptions, runParams, withExecution } from "./run-plan.ts";
import {
  callGraphs,
  type PerfPlan,
  readSamples,
  recordOnce,
  requirePerf,
  rings,
  runUnsampled,
  checkPerf,
  SampleRows,
} from "./perf-sampling.ts";

/** Limit of repetitions: rows are kept in memory. */
const maxRepetitions = 10_000;

/** Not a round number, to avoid lockstep with periodic programs. */
const frequency = 3999;

const options: readonly Variable[] = [
  option(
    "event",
    "text",
    null,
    "events of perf list to sample, one per line (default: cycles if the machine counts them, else cpu-clock)",
  ),
  option("frequency", "integer", frequency, "samples per second and processor"),
  {
    ...option(
      "call-graph",
      "string",
      "fp",
      "how to unwind stacks: frame pointers, debug information, or the processor's branch records",
    ),
    valid: callGraphs,
  },
  { ...option("only", "string", null, "sample only user or kernel mode"), valid: rings },
  option("inlined", "boolean", false, "resolve inlined calls; slow for large programs"),
  option("warmup", "integer", 3, "unsampled runs before the first recorded one"),
  option("repeat", "integer", 5, "number of recorded runs"),
  option("with-sudo", "boolean", false, "run perf, and thus the command, as root with sudo"),
  ...runOptions("the samples"),
];

/**
 * Samples stacks with `perf record`: one row per distinct stack and repetition with its number of samples, and their
 * time if a clock is sampled. uid is the innermost function; type and unit are those of Perun's collector kperf.
 */
export const perf: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "perf",
  aliases: ["kperf"],
  synopsis: "CPU time of a program by stack, sampled with perf",
  options,
  profileType: "time",

  prepare: requirePerf,

  async collect(job, shell, progress = () => {}, notice = () => {}) {
    const plan = planOf(job.params);
    const argv = splitCommand(`${job.cmd} ${job.workload}`);
    await requireProgram(argv, job, shell);
    const folder = mkdtempSync(join(tmpdir(), "perfkeep-perf-"));
    try {
      return await measure({ argv, job, shell, plan, folder }, progress, notice);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

type Plan = PerfPlan & RepeatPlan;

interface Measurement {
  readonly argv: readonly string[];
  readonly job: Job;
  readonly shell: Shell;
  readonly plan: Plan;
  readonly folder: string;
}

async function measure(
  { argv, job, shell, plan, folder }: Measurement,
  progress: (done: number) => void,
  notice: (text: string) => void,
): Promise<Run> {
  const total = plan.warmup + plan.repeat;
  const rows = new SampleRows();
  const outcomes: Outcome[] = [];
  let lost = 0;
  await checkPerf(plan, job, shell, folder);
  for (let run = 0; run < total; run++) {
    const isSampled = run >= plan.warmup;
    const outcome = isSampled
      ? await recordOnce(argv, plan, job, shell, folder)
      : await runUnsampled(argv, plan, job, shell);
    if (!plan.allowFailure) requireSuccess(outcome, job);
    if (isSampled) {
      outcomes.push(outcome);
      lost += await readSamples(plan, job, shell, folder, rows.reader(outcomes.length));
    }
    progress((run + 1) / total);
  }
  if (rows.events.length === 0) throw noSamples(job, plan);
  if (clockOf(plan, rows) === "software") notice("sampling cpu-clock, since perf cannot count cycles on this machine");
  return runOf(job, plan, outcomes, rows, lost);
}

function noSamples(job: Job, plan: Plan): Failure {
  const reason = `perf took no samples of it at ${plan.frequency} Hz`;
  const instead = "measure a larger workload, or raise the collector's options frequency or repeat";
  return new Failure("untraceable", { what: `'${`${job.cmd} ${job.workload}`.trim()}'`, reason, instead });
}

function planOf(params: Values): Plan {
  const callGraph = callGraphs.find((known) => known === params.get("call-graph")) ?? "fp";
  return {
    events: eventsOf(params.get("event")),
    frequency: countOf("perf", params, "frequency", frequency, 1, 100_000),
    callGraph,
    only: rings.find((known) => known === params.get("only")) ?? null,
    inlined: params.get("inlined") === true,
    withSudo: params.get("with-sudo") === true,
    ...repeatPlan("perf", params, { warmup: 3, repeat: 5 }, maxRepetitions),
  };
}

function eventsOf(value: unknown): string[] {
  const lines = typeof value === "string" ? value.split("\n").map((line) => line.trim()) : [];
  const events = lines.filter((line) => line !== "");
  const bad = events.find((event) => !/^[\w./:,=@-]{1,200}$/.test(event) || event.startsWith("-"));
  if (bad === undefined) return events;
  const expected = "an event of perf list";
  throw new Failure("bad-collector-option", {
    plugin: "perf",
    option: "event",
    value: bad.slice(0, 80),
    expected,
    example: "cpu-clock",
  });
}

function runOf(job: Job, plan: Plan, outcomes: readonly Outcome[], rows: SampleRows, lost: number): Run {
  const { cmd, workload, machine } = job;
  const units = { time: "sample", ...(rows.hasTime ? { "time(cpu-time)": "s" } : {}) };
  const collector = { name: "perf", params: paramsOf(plan, rows, lost) };
  const run = profileOf({ type: "time", cmd, workload, units, collector, machine, subjects: rows.subjects() });
  return withExecution(run, outcomes, plan);
}

/** The clock that perf chose; null if events were requested. */
function clockOf(plan: Plan, rows: SampleRows): "hardware" | "software" | null {
  if (plan.events.length > 0) return null;
  return rows.events.includes("cycles") ? "hardware" : "software";
}

/** Records the events that perf sampled, not the requested ones. */
function paramsOf(plan: Plan, rows: SampleRows, lost: number): JsonObject {
  const clock = clockOf(plan, rows);
  return jsonObject({
    event: [...rows.events],
    ...(clock === null ? {} : { clock }),
    frequency: JsonNumber.integer(plan.frequency),
    "call-graph": plan.callGraph,
    ...(plan.only === null ? {} : { only: plan.only }),
    ...(plan.inlined ? { inlined: true } : {}),
    ...repeatParams(plan),
    "with-sudo": plan.withSudo,
    ...runParams(plan),
    ...(lost > 0 ? { "lost-samples": JsonNumber.integer(lost) } : {}),
  });
}
