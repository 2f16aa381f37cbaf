import { splitCommand } from "../../core/text/index.ts";
import { type JsonObject, jsonObject } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { profileOf, type Subject } from "../../formats/profile/index.ts";
import {
  type Collector,
  collectorOption as option,
  type Job,
  type Outcome,
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

/** Limit of repetitions, whose outcomes are kept in memory. */
const maxRepetitions = 100_000;

const options: readonly Variable[] = [
  option("warmup", "integer", 3, "unrecorded runs before the first recorded one"),
  option("repeat", "integer", 10, "number of recorded runs, one row each"),
  ...runOptions("the times"),
];

/**
 * Measures wall clock (subtype real) and user and system CPU time of each run in seconds, in the format of Perun's
 * collector of this name. Peak memory in bytes is the column `peak-memory` of the wall clock's rows, not an `amount`,
 * because checkers average all amounts of a subject.
 */
export const time: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "time",
  synopsis: "wall clock, CPU time and peak memory of a command",
  options,
  profileType: "time",

  async prepare() {},

  async collect(job, shell, progress = () => {}) {
    const plan = repeatPlan("time", job.params, { warmup: 3, repeat: 10 }, maxRepetitions);
    const argv = splitCommand(`${job.cmd} ${job.workload}`);
    const outcomes: Outcome[] = [];
    for (let run = 0; run < plan.warmup + plan.repeat; run++) {
      const outcome = await runOnce(argv, job, shell, plan);
      if (run >= plan.warmup) outcomes.push(outcome);
      progress((run + 1) / (plan.warmup + plan.repeat));
    }
    return runOf(job, plan, outcomes);
  },
});

async function runOnce(argv: readonly string[], job: Job, shell: Shell, plan: RepeatPlan): Promise<Outcome> {
  const outcome = await shell.run(argv, limitsOf(plan, job));
  if (!plan.allowFailure) requireSuccess(outcome, job);
  return outcome;
}

function runOf(job: Job, plan: RepeatPlan, outcomes: readonly Outcome[]): Run {
  const { cmd, workload, machine } = job;
  const units = { time: "s", ...(isKnown(outcomes, "peakBytes") ? { "time(peak-memory)": "B" } : {}) };
  const collector = { name: "time", params: paramsOf(plan, outcomes) };
  const run = profileOf({
    type: "time",
    cmd,
    workload,
    units,
    collector,
    machine,
    subjects: subjectsOf(cmd, outcomes),
  });
  return withExecution(run, outcomes, plan);
}

function subjectsOf(cmd: string, outcomes: readonly Outcome[]): Subject[] {
  const order = outcomes.map((_, index) => index + 1);
  const subject = (subtype: string, amounts: readonly number[], more: Subject["columns"] = []): Subject => ({
    properties: jsonObject({ subtype, type: "time", uid: cmd }),
    columns: [
      { name: "amount", type: "float", values: amounts },
      { name: "order", type: "integer", values: order },
      ...more,
    ],
  });
  const peaks = outcomes.map((outcome) => outcome.peakBytes);
  const memory: Subject["columns"] = isKnown(outcomes, "peakBytes")
    ? [{ name: "peak-memory", type: "integer", values: peaks }]
    : [];
  const real = subject(
    "real",
    outcomes.map((outcome) => seconds(outcome.wallNanoseconds)),
    memory,
  );
  if (!isKnown(outcomes, "userSeconds")) return [real];
  return [
    real,
    subject(
      "user",
      outcomes.map((outcome) => outcome.userSeconds),
    ),
    subject(
      "sys",
      outcomes.map((outcome) => outcome.systemSeconds),
    ),
  ];
}

/** The double nearest to the decimal number of seconds; exact to the nanosecond up to eleven days. */
function seconds(nanoseconds: bigint): number {
  return Number(`${nanoseconds}e-9`);
}

/** False when the machine could not measure it for all runs. */
function isKnown(outcomes: readonly Outcome[], what: "peakBytes" | "userSeconds"): boolean {
  return outcomes.every((outcome) => Number.isFinite(outcome[what]));
}

function paramsOf(plan: RepeatPlan, outcomes: readonly Outcome[]): JsonObject {
  return jsonObject({
    ...repeatParams(plan),
    clock: outcomes[0]?.clock ?? "none",
    ...runParams(plan),
  });
}
