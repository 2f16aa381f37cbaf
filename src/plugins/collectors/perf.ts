import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import {
  type Collector,
  collectorOption as option,
  countOf,
  executionOf,
  type Job,
  type Outcome,
  requireProgram,
  requireSuccess,
  runOptions,
  type Shell,
  timeoutOf,
} from "./collector.ts";
import {
  callGraphs,
  type PerfPlan,
  readSamples,
  recordOnce,
  requirePerf,
  rings,
  runWithout,
  tryOut,
} from "./perf-record.ts";
import { SampleRows } from "./perf-rows.ts";

/** Every repetition leaves a file for a while, and all rows are kept in memory. */
const mostRepetitions = 10_000;

/** No round number: programs that do something every millisecond are not met at the same moment again and again. */
const frequency = 3999;

const options: readonly Variable[] = [
  option(
    "event",
    "text",
    null,
    "what is sampled, a line each: events of perf list; cycles where the machine counts them, else cpu-clock",
  ),
  option("frequency", "integer", frequency, "samples per second and processor"),
  {
    ...option(
      "call-graph",
      "string",
      "fp",
      "how stacks are found: frame pointers, debug information, or the processor's own records",
    ),
    valid: callGraphs,
  },
  { ...option("only", "string", null, "leave out samples of the other: user or kernel"), valid: rings },
  option("inlined", "boolean", false, "show calls that the compiler inlined; slow for large programs"),
  option("warmup", "integer", 3, "runs before the first that counts, not sampled"),
  option("repeat", "integer", 5, "runs that count"),
  option("with-sudo", "boolean", false, "run perf, and so the command, as root by sudo"),
  ...runOptions("the samples"),
];

/**
 * Samples by `perf record` where a program is: a row for each different stack and repetition with its number of
 * samples, and the time they stand for where a clock is sampled. uid is the function that was running; type and unit
 * are those of Perun's collector kperf.
 */
export const perf: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "perf",
  aliases: ["kperf"],
  synopsis: "where a program spends its time, by stacks that perf samples",
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

interface Plan extends PerfPlan {
  readonly warmup: number;
  readonly repeat: number;
  readonly keepOutput: boolean;
}

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
  await tryOut(plan, job, shell, folder);
  for (let run = 0; run < total; run++) {
    const isSampled = run >= plan.warmup;
    const outcome = isSampled
      ? await recordOnce(argv, plan, job, shell, folder)
      : await runWithout(argv, plan, job, shell);
    if (!plan.allowFailure) requireSuccess(outcome, job);
    if (isSampled) {
      outcomes.push(outcome);
      lost += await readSamples(plan, job, shell, folder, rows.reader(outcomes.length));
    }
    progress((run + 1) / total);
  }
  if (rows.events.length === 0) throw nothingSeen(job, plan);
  if (clockOf(plan, rows) === "software")
    notice("perf samples cpu-clock, since it cannot count the cycles of this machine");
  return runOf(job, plan, outcomes, rows, lost);
}

function nothingSeen(job: Job, plan: Plan): Failure {
  const reason = `perf took no sample of it at ${plan.frequency} a second`;
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
    warmup: countOf("perf", params, "warmup", 3, 0, mostRepetitions),
    repeat: countOf("perf", params, "repeat", 5, 1, mostRepetitions),
    withSudo: params.get("with-sudo") === true,
    timeout: timeoutOf("perf", params),
    allowFailure: params.get("allow-failure") === true,
    keepOutput: params.get("keep-output") !== false,
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
  return {
    ...run,
    extra: new Map<string, Json>([...run.extra, ["execution", executionOf(outcomes, plan.keepOutput)]]),
  };
}

/** By which clock perf samples when the choice is its own. */
function clockOf(plan: Plan, rows: SampleRows): "hardware" | "software" | null {
  if (plan.events.length > 0) return null;
  return rows.events.includes("cycles") ? "hardware" : "software";
}

/** What was sampled is told by what perf found possible, and not by what was asked for. */
function paramsOf(plan: Plan, rows: SampleRows, lost: number): JsonObject {
  const clock = clockOf(plan, rows);
  return jsonObject({
    event: [...rows.events],
    ...(clock === null ? {} : { clock }),
    frequency: JsonNumber.integer(plan.frequency),
    "call-graph": plan.callGraph,
    ...(plan.only === null ? {} : { only: plan.only }),
    ...(plan.inlined ? { inlined: true } : {}),
    warmup: JsonNumber.integer(plan.warmup),
    repeat: JsonNumber.integer(plan.repeat),
    "with-sudo": plan.withSudo,
    ...(plan.timeout === null ? {} : { timeout: JsonNumber.float(plan.timeout) }),
    ...(plan.allowFailure ? { "allow-failure": true } : {}),
    ...(lost > 0 ? { "lost-samples": JsonNumber.integer(lost) } : {}),
  });
}
