import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { splitCommand } from "../../core/text/index.ts";
import { jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { profileOf, type Subject } from "../../formats/profile/index.ts";
import {
  type Collector,
  collectorOption as option,
  type Job,
  type Outcome,
  requireProgram,
  type Shell,
} from "./collector.ts";
import { type RepeatPlan, repeatParams, repeatPlan, runOptions, runParams, withExecution } from "./run-plan.ts";
import {
  callgrindEngine,
  type Count,
  type Counting,
  type CountingEngine,
  type CountingPlan,
} from "./counters-engine.ts";
import { perfEngine, isPerfUsable } from "./counters-perf.ts";

const maxRepetitions = 10_000;

/** Two runs show whether the counts of a program repeat. */
const defaultRepeat = 2;

const engines: Readonly<Record<string, CountingEngine>> = { perf: perfEngine, callgrind: callgrindEngine };

const options: readonly Variable[] = [
  {
    ...option(
      "engine",
      "string",
      "auto",
      "count with perf stat, or with valgrind's callgrind, which simulates a processor",
    ),
    valid: ["auto", ...Object.keys(engines)],
  },
  option("event", "text", null, "events of perf list to count instead, one per line"),
  option("cache", "boolean", false, "add cache accesses and misses"),
  option("branches", "boolean", false, "add branches and branch mispredictions"),
  option("warmup", "integer", 0, "unrecorded runs before the first recorded one"),
  option("repeat", "integer", defaultRepeat, "number of recorded runs, one row per event each"),
  ...runOptions("the counts"),
];

/**
 * Counts instructions and other events of a program, which hardly depend on other activity of the machine: with perf if
 * the processor's counters are accessible, else with callgrind.
 */
export const counters: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "counters",
  synopsis: "instructions and other events of a program, with reproducible counts",
  options,
  profileType: "mixed",

  async prepare(shell) {
    if ((await shell.which("valgrind")) === null) await requireTool(shell, "perf");
  },

  async collect(job, shell, progress = () => {}, notice = () => {}) {
    const plan = planOf(job.params);
    const argv = splitCommand(`${job.cmd} ${job.workload}`);
    await requireProgram(argv, job, shell);
    const folder = mkdtempSync(join(tmpdir(), "perfkeep-counters-"));
    try {
      const engine = await engineOf(plan, job, shell, folder);
      if (plan.engine === "auto" && engine === callgrindEngine)
        notice("counting with callgrind, since perf cannot access this machine's counters");
      return await measure(engine, { argv, job, shell, plan, folder }, progress);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

interface Plan extends CountingPlan, RepeatPlan {
  readonly engine: string;
}

function planOf(params: Values): Plan {
  const plan = {
    engine: String(params.get("engine") ?? "auto"),
    events: eventsOf(params.get("event")),
    cache: params.get("cache") === true,
    branches: params.get("branches") === true,
    ...repeatPlan("counters", params, { warmup: 0, repeat: defaultRepeat }, maxRepetitions),
  };
  const expected = "no event with engine callgrind, which has the options cache and branches";
  if (plan.engine === "callgrind" && plan.events.length > 0) throw badEvent(plan.events[0]!, expected);
  return plan;
}

function eventsOf(value: unknown): string[] {
  const lines = typeof value === "string" ? value.split("\n").map((line) => line.trim()) : [];
  const events = lines.filter((line) => line !== "");
  const bad = events.find((event) => !/^[\w./:,=@-]{1,200}$/.test(event) || event.startsWith("-"));
  if (bad !== undefined) throw badEvent(bad, "an event of perf list");
  return events;
}

function badEvent(value: string, expected: string): Failure {
  return new Failure("bad-collector-option", {
    plugin: "counters",
    option: "event",
    value: value.slice(0, 80),
    expected,
    example: "instructions:u",
  });
}

async function engineOf(plan: Plan, job: Job, shell: Shell, folder: string): Promise<CountingEngine> {
  const engine = engines[plan.engine] ?? (await detectEngine(plan, job, shell, folder));
  await requireTool(shell, engine.tool);
  return engine;
}

async function detectEngine({ events }: Plan, job: Job, shell: Shell, folder: string): Promise<CountingEngine> {
  return events.length > 0 || (await isPerfUsable(job, shell, folder)) ? perfEngine : callgrindEngine;
}

async function requireTool(shell: Shell, tool: "perf" | "valgrind"): Promise<void> {
  if ((await shell.which(tool)) !== null) return;
  const install =
    tool === "perf"
      ? "perf of the Linux kernel (Debian: apt install linux-perf)"
      : "Valgrind (Debian: apt install valgrind)";
  throw new Failure("tool-missing", { tool, install });
}

async function measure(
  engine: CountingEngine,
  counting: Counting & { plan: Plan },
  progress: (done: number) => void,
): Promise<Run> {
  const { plan, job } = counting;
  const total = plan.warmup + plan.repeat;
  const counts: (readonly Count[])[] = [];
  const outcomes: Outcome[] = [];
  for (let run = 0; run < total; run++) {
    const counted = await engine.count(counting);
    if (run >= plan.warmup) {
      counts.push(counted.counts);
      outcomes.push(counted.outcome);
    }
    progress((run + 1) / total);
  }
  const { cmd, workload, machine } = job;
  const collector = { name: "counters", params: paramsOf(plan, engine) };
  const subjects = subjectsOf(cmd, engine.name, counts);
  const run = profileOf({ type: "mixed", cmd, workload, units: unitsOf(counts), collector, machine, subjects });
  return withExecution(run, outcomes, plan);
}

/** Records the engine used, not the requested one. */
function paramsOf(plan: Plan, engine: CountingEngine): JsonObject {
  return jsonObject({
    engine: engine.name,
    ...(plan.events.length === 0 ? {} : { event: [...plan.events] }),
    cache: plan.cache,
    branches: plan.branches,
    ...repeatParams(plan),
    ...runParams(plan),
  });
}

/**
 * One row per event and run. `running`: percentage of the time in which an event with a shared counter was counted.
 */
function subjectsOf(cmd: string, engine: string, runs: readonly (readonly Count[])[]): Subject[] {
  const rows = new Map<string, { readonly count: Count; readonly order: number }[]>();
  for (const [at, counts] of runs.entries())
    for (const count of counts) rows.set(count.name, [...(rows.get(count.name) ?? []), { count, order: at + 1 }]);
  return [...rows].map(([name, counted]) => subjectOf(cmd, engine, name, counted));
}

function subjectOf(
  cmd: string,
  engine: string,
  name: string,
  rows: readonly { readonly count: Count; readonly order: number }[],
): Subject {
  const event = rows[0]?.count.event ?? name;
  const amounts = rows.map(({ count }) => count.amount);
  const shared = rows.some(({ count }) => count.percent < 100);
  return {
    properties: jsonObject({
      engine,
      ...(event === name ? {} : { event: name }),
      subtype: event,
      type: "mixed",
      uid: cmd,
    }),
    columns: [
      {
        name: "amount",
        type: amounts.every((amount) => Number.isSafeInteger(amount)) ? "integer" : "float",
        values: amounts,
      },
      { name: "order", type: "integer", values: rows.map(({ order }) => order) },
      ...(shared ? [{ name: "running", type: "float" as const, values: rows.map(({ count }) => count.percent) }] : []),
    ],
  };
}

/** Units for the profile header; `mixed` only if all events have the same unit. */
function unitsOf(runs: readonly (readonly Count[])[]): Record<string, string> {
  const all = new Map(runs.flat().map(({ event, unit }) => [`mixed(${event})`, unit]));
  const [unit, ...others] = new Set(all.values());
  return { ...(unit === undefined || others.length > 0 ? {} : { mixed: unit }), ...Object.fromEntries(all) };
}
