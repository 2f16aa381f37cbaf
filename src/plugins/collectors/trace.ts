import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/index.ts";
import { profileOf, type Subject } from "../../formats/profile/index.ts";
import { inclusiveCosts, readCallGraph, type CallGraph, type GraphFunction } from "../../formats/stacks/index.ts";
import type { FunctionSymbol } from "../../formats/traces/index.ts";
import { traceSubjects } from "./calls/call-rows.ts";
import { watchInstrumented } from "./calls/run-instrumented.ts";
import { isInstrumented } from "./calls/symbols.ts";
import { type Collector, type Job, requireProgram, type Shell, type Outcome, requireSuccess } from "./collector.ts";
import { limitsOf, runParams, withExecution } from "./run-plan.ts";
import { type TraceEngine, traceOptions, type TracePlan, tracePlan } from "./trace-plan.ts";
import { choiceOf, targetOf, type Traced, type TraceTarget, type TraceWatcher } from "./trace-target.ts";
import { hasUprobes, traceByUprobes } from "./trace-uprobes.ts";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/**
 * Records calls of functions of a C or C++ program: one row per call, in the format of Perun's collector of this name,
 * or, with callgrind, per function and per pair of functions.
 */
export const trace: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "trace",
  synopsis: "function calls of a C or C++ program with their durations",
  options: traceOptions,
  profileType: "mixed",

  async prepare(shell) {
    if ((await shell.which("nm")) === null)
      throw new Failure("tool-missing", { tool: "nm", install: "GNU binutils (Debian: apt install binutils)" });
  },

  async collect(job, shell, progress = () => {}, notice = () => {}) {
    const plan = tracePlan(job.params);
    const target = await targetOf(job, shell, plan);
    const engine = plan.engine ?? (await bestEngine(target, job, shell, plan));
    progress(0.1);
    const measured = await engines[engine](target, job, shell, plan, { progress, notice });
    progress(1);
    return runOf(job, plan, engine, measured);
  },
});

const microseconds = { "mixed(time delta)": "us" };

const engines: Readonly<
  Record<
    TraceEngine,
    (target: TraceTarget, job: Job, shell: Shell, plan: TracePlan, watcher: TraceWatcher) => Promise<Traced>
  >
> = {
  instrument: async (target, job, shell, plan) => {
    refuseArguments(plan);
    const chosen = plan.isOpen ? null : choiceOf(target, plan);
    const { outcome, processes } = await watchInstrumented(job, shell, {
      ...plan,
      ...target,
      chosen,
      isCpuTime: false,
    });
    return { outcome, units: microseconds, subjects: traceSubjects(processes, job.workload, plan.isMangled) };
  },
  uprobes: traceByUprobes,
  callgrind: traceByCallgrind,
};

function refuseArguments({ choices, probes, withProbes }: TracePlan): void {
  if (probes.length > 0 || withProbes)
    throw new Failure("unusable-combination", {
      what: "static probes (options usdt and with-usdt of trace) with engine instrument",
      instead: "use engine: uprobes",
    });
  const withArgument = choices.find(({ argument }) => argument !== null);
  if (withArgument)
    throw new Failure("unusable-combination", {
      what: `'${withArgument.text}' selects an argument, which instrumentation cannot read`,
      instead: "report the size with PERFKEEP_SIZE of perfkeep.h, or use engine: uprobes",
    });
}

/** The most detailed available engine; arguments and static probes require uprobes. Fails with `untraceable`. */
async function bestEngine({ argv, files }: TraceTarget, job: Job, shell: Shell, plan: TracePlan): Promise<TraceEngine> {
  if (plan.probes.length > 0 || plan.withProbes || plan.choices.some(({ argument }) => argument !== null))
    return "uprobes";
  for (const { path } of files) if (await isInstrumented(path, shell, job.directory)) return "instrument";
  if (await hasUprobes(shell)) return "uprobes";
  if ((await shell.which("valgrind")) !== null) return "callgrind";
  await requireProgram(argv, job, shell);
  throw new Failure("untraceable", {
    what: `'${`${job.cmd} ${job.workload}`.trim()}'`,
    reason: "it was not built with -finstrument-functions, and neither bpftrace (as root) nor valgrind is available",
    instead: "build it with this flag, or install valgrind (Debian: apt install valgrind)",
  });
}

function runOf(job: Job, plan: TracePlan, engine: TraceEngine, { outcome, units, subjects }: Traced): Run {
  const { cmd, workload, machine } = job;
  const collector = { name: "trace", params: paramsOf(plan, engine) };
  const run = profileOf({ type: "mixed", cmd, workload, units, collector, machine, subjects });
  return withExecution(run, outcome === null ? null : [outcome], plan);
}

function paramsOf(plan: TracePlan, engine: TraceEngine): JsonObject {
  return jsonObject({
    engine,
    func: plan.choices.map(({ text }) => text),
    usdt: plan.probes.map(({ text }) => text),
    "with-usdt": plan.withProbes,
    strategy: plan.others === null ? "custom" : plan.others === "all" ? "all" : "userspace",
    "global-sampling": JsonNumber.integer(plan.every),
    binary: plan.binary,
    libs: [...plan.libraries],
    ...(plan.isMangled ? { mangled: true } : {}),
    ...runParams(plan),
  });
}

/**
 * Counts instructions under valgrind per function and per pair of caller and callee. Deterministic for a deterministic
 * program; without single calls, times or threads.
 */
async function traceByCallgrind(target: TraceTarget, job: Job, shell: Shell, plan: TracePlan): Promise<Traced> {
  if ((await shell.which("valgrind")) === null)
    throw new Failure("tool-missing", { tool: "valgrind", install: "valgrind (Debian: apt install valgrind)" });
  refuseCallOptions(plan);
  await requireProgram(target.argv, job, shell);
  const known = knownFunctions(target, plan);
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-callgrind-"));
  try {
    const outcome = await run(target, job, shell, plan, folder);
    if (outcome !== null && !plan.allowFailure) requireSuccess(outcome, job);
    const graphs = graphsIn(folder, job);
    const subjects = graphs.flatMap((graph, at) =>
      subjectsOf(graph, known, graphs.length > 1 ? at + 1 : null, job.workload, plan),
    );
    return { outcome, units: { "mixed(instructions)": "event" }, subjects };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuseCallOptions({ every, choices, probes, withProbes }: TracePlan): void {
  if (probes.length > 0 || withProbes)
    throw new Failure("unusable-combination", {
      what: "static probes (options usdt and with-usdt of trace) with engine callgrind",
      instead: "use engine: uprobes",
    });
  if (every === 1 && choices.every((choice) => (choice.every ?? 1) === 1 && choice.argument === null)) return;
  throw new Failure("unusable-combination", {
    what: "sampling and arguments apply to single calls, which callgrind does not record",
    instead: "build the program with -finstrument-functions, or use engine: uprobes",
  });
}

async function run(
  { argv }: TraceTarget,
  job: Job,
  shell: Shell,
  plan: TracePlan,
  folder: string,
): Promise<Outcome | null> {
  // valgrind replaces %p by the process id.
  const fileIn = (name: string): string => join(folder.replaceAll("%", "%%"), name);
  const words = ["--trace-children=yes", "--demangle=no", "--separate-recs=1", `--log-file=${fileIn("log-%p")}`];
  try {
    return await shell.run(
      ["valgrind", "--tool=callgrind", ...words, `--callgrind-out-file=${fileIn("out-%p")}`, ...argv],
      limitsOf(plan, job),
    );
  } catch (error) {
    if (plan.allowFailure && isFailure(error, "command-timed-out")) return null;
    throw error;
  }
}

function graphsIn(folder: string, job: Job): CallGraph[] {
  const names = readdirSync(folder).filter((name) => name.startsWith("out-"));
  const byProcess = names.toSorted((a, b) => Number(a.slice(4)) - Number(b.slice(4)));
  const graphs = byProcess.map((name) => readCallGraph(readFileSync(join(folder, name), "latin1")));
  const filled = graphs.filter(({ functions }) => functions.length > 0);
  if (filled.length > 0) return filled;
  throw new Failure("untraceable", {
    what: `'${`${job.cmd} ${job.workload}`.trim()}'`,
    reason: "valgrind recorded nothing",
    instead: "check whether valgrind --tool=callgrind runs it",
  });
}

/** The selected functions by linker name. */
function knownFunctions(target: TraceTarget, plan: TracePlan): Map<string, FunctionSymbol> {
  const chosen = choiceOf(target, plan);
  return new Map(
    [...chosen].flatMap(([{ symbols }, selected]) =>
      symbols.filter(({ address }) => selected.has(address)).map((symbol) => [symbol.name, symbol] as const),
    ),
  );
}

function subjectsOf(
  graph: CallGraph,
  known: ReadonlyMap<string, FunctionSymbol>,
  process: number | null,
  workload: string,
  { isMangled }: TracePlan,
): Subject[] {
  const nameOf = ({ name }: GraphFunction): string => (isMangled ? name : (known.get(name)?.prototype ?? name));
  const rowOf = (subtype: string, called: GraphFunction, more: Readonly<Record<string, Json>>): JsonObject =>
    jsonObject({
      ...more,
      location: basename(called.object),
      ...(process === null ? {} : { process: JsonNumber.integer(process) }),
      subtype,
      type: "mixed",
      uid: nameOf(called),
      workload,
    });
  const costs = inclusiveCosts(graph);
  const functions = graph.functions.flatMap((called, at): Subject[] => {
    if (!known.has(called.name)) return [];
    const { cost, cycle } = costs[at]!;
    const cells = { amount: cost, calls: called.calls, exclusive: called.self };
    return [subject(rowOf("instructions", called, cycle === null ? {} : { cycle: JsonNumber.integer(cycle) }), cells)];
  });
  const pairs = graph.functions.flatMap((caller) =>
    [...caller.callees].flatMap(([at, { calls, cost }]): Subject[] => {
      const called = graph.functions[at]!;
      if (!known.has(called.name)) return [];
      return [subject(rowOf("instructions by caller", called, { caller: nameOf(caller) }), { amount: cost, calls })];
    }),
  );
  return [...functions, ...pairs];
}

function subject(properties: JsonObject, cells: Readonly<Record<string, number>>): Subject {
  return {
    properties,
    columns: Object.entries(cells).map(([name, value]) => ({ name, type: "integer", values: [value] })),
  };
}
