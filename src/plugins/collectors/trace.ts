import { Failure } from "../../core/failures/failure.ts";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { traceSubjects } from "./calls/call-rows.ts";
import { watchInstrumented } from "./calls/run-instrumented.ts";
import { isInstrumented } from "./calls/symbols.ts";
import { type Collector, executionOf, type Job, requireProgram, type Shell } from "./collector.ts";
import { traceByCallgrind } from "./trace-callgrind.ts";
import { type TraceEngine, traceOptions, type TracePlan, tracePlan } from "./trace-plan.ts";
import { hasUprobes, traceByUprobes } from "./trace-uprobes.ts";
import { choiceOf, targetOf, type Traced, type TraceTarget } from "./trace-target.ts";

/**
 * Writes down when functions of a C or C++ program are entered and left: a row for each call, laid out as Perun's
 * collector of this name does, or for each function and pair of functions where only valgrind can look.
 */
export const trace: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "trace",
  synopsis: "calls of functions of a C or C++ program, with the time each takes",
  options: traceOptions,
  profileType: "mixed",

  async prepare(shell) {
    if ((await shell.which("nm")) === null)
      throw new Failure("tool-missing", { tool: "nm", install: "GNU binutils (Debian: apt install binutils)" });
  },

  async collect(job, shell, progress = () => {}) {
    const plan = tracePlan(job.params);
    const target = await targetOf(job, shell, plan);
    const engine = plan.engine ?? (await bestEngine(target, job, shell, plan));
    progress(0.1);
    const measured = await engines[engine](target, job, shell, plan);
    progress(1);
    return runOf(job, plan, engine, measured);
  },
});

const microseconds = { "mixed(time delta)": "us" };

const engines: Readonly<
  Record<TraceEngine, (target: TraceTarget, job: Job, shell: Shell, plan: TracePlan) => Promise<Traced>>
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
      what: "static probes (options usdt and with-usdt of trace) are not seen by instrumented functions",
      instead: "use engine: uprobes",
    });
  const asked = choices.find(({ argument }) => argument !== null);
  if (asked)
    throw new Failure("unusable-combination", {
      what: `'${asked.text}' asks for an argument, which an instrumented function has already put away when it is seen`,
      instead: "tell the size in the function by PERFKEEP_SIZE of perfkeep.h, or use engine: uprobes",
    });
}

/** What tells most at the least cost; arguments and static probes only the kernel sees. Fails with `untraceable`. */
async function bestEngine({ argv, files }: TraceTarget, job: Job, shell: Shell, plan: TracePlan): Promise<TraceEngine> {
  if (plan.probes.length > 0 || plan.withProbes || plan.choices.some(({ argument }) => argument !== null))
    return "uprobes";
  for (const { path } of files) if (await isInstrumented(path, shell, job.directory)) return "instrument";
  if (await hasUprobes(shell)) return "uprobes";
  if ((await shell.which("valgrind")) !== null) return "callgrind";
  await requireProgram(argv, job, shell);
  throw new Failure("untraceable", {
    what: `'${`${job.cmd} ${job.workload}`.trim()}'`,
    reason: "it was not built with -finstrument-functions, and neither bpftrace (as root) nor valgrind is here",
    instead: "build it so, or install valgrind (Debian: apt install valgrind)",
  });
}

function runOf(job: Job, plan: TracePlan, engine: TraceEngine, { outcome, units, subjects }: Traced): Run {
  const { cmd, workload, machine } = job;
  const collector = { name: "trace", params: paramsOf(plan, engine) };
  const run = profileOf({ type: "mixed", cmd, workload, units, collector, machine, subjects });
  const execution = outcome === null ? jsonObject({ status: ["timed out"] }) : executionOf([outcome], plan.keepOutput);
  return { ...run, extra: new Map<string, Json>([...run.extra, ["execution", execution]]) };
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
    ...(plan.timeout === null ? {} : { timeout: JsonNumber.float(plan.timeout) }),
    ...(plan.allowFailure ? { "allow-failure": true } : {}),
  });
}
