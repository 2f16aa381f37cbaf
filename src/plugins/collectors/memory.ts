import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitCommand } from "../../core/command-line.ts";
import { Failure } from "../../core/errors.ts";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import type { Values } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import { decodeAllocationLog, type AllocationLog } from "../../formats/allocation-log.ts";
import { profileOf } from "../../formats/profile-of.ts";
import {
  type Collector,
  collectorOption as option,
  countOf,
  executionOf,
  type Job,
  type Outcome,
  outputLimit,
  requireSuccess,
  type Shell,
  timeoutOf,
} from "./collector.ts";
import { type RowRules, subjectsOf } from "./memory-rows.ts";
import { framesOf } from "./memory-symbols.ts";

const library = "allocations.c";

/** Every row is kept in memory. */
const mostRecords = 20_000_000;

const options: readonly Variable[] = [
  option("sampling", "float", 0.001, "seconds of a snapshot"),
  option("no-func", "text", null, "functions, a line each: what they allocate is left out"),
  option("no-source", "text", null, "source files, a line each: what is allocated there is left out"),
  option("all", "boolean", false, "also allocations and calls that no source is known of"),
  option("limit", "integer", 1_000_000, "allocations of one process after which the job fails"),
  option("timeout", "float", null, "seconds after which a run is stopped and the job fails"),
  option("allow-failure", "boolean", false, "measure a command that does not exit with 0, too"),
  option("keep-output", "boolean", true, "record what the run printed, up to 64 KiB of each stream"),
];

/**
 * Writes down every allocation of a program and what it starts: a row for each call of malloc, calloc, realloc, reallocarray, memalign, posix_memalign,
 * aligned_alloc, valloc and free that succeeded, with bytes, address and the calls that led there, laid out as Perun's collector of this name does. C++
 * allocates through these.
 */
export const memory: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "memory",
  synopsis: "every allocation of a C or C++ program, with the calls that led there",
  options,
  profileType: "memory",

  async prepare(shell) {
    await shell.library(library);
    if ((await shell.which("addr2line")) === null)
      throw new Failure("tool-missing", { tool: "addr2line", install: "GNU binutils (Debian: apt install binutils)" });
  },

  async collect(job, shell, progress = () => {}) {
    const plan = planOf(job.params);
    const folder = mkdtempSync(join(tmpdir(), "perfkeep-memory-"));
    try {
      const outcome = await trace(job, shell, plan, folder);
      progress(0.5);
      if (!plan.allowFailure) requireSuccess(outcome, job);
      const logs = logsIn(folder, outcome, job, plan);
      const stacks = new Set(logs.flatMap((log) => log.allocations.map((allocation) => allocation.stack)));
      const subjects = subjectsOf(logs, await framesOf(stacks, shell, job.directory), plan);
      progress(1);
      return runOf(job, plan, outcome, subjects);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

interface Plan extends RowRules {
  readonly limit: number;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
  readonly keepOutput: boolean;
}

function planOf(params: Values): Plan {
  const sampling = params.get("sampling") ?? 0.001;
  if (!(typeof sampling === "number" && sampling >= 1e-6 && sampling <= 1e6)) throw badSampling(sampling);
  return {
    sampling,
    all: params.get("all") === true,
    noFunctions: linesOf(params.get("no-func")),
    noSources: linesOf(params.get("no-source")),
    limit: countOf("memory", params, "limit", 1_000_000, 1, mostRecords),
    timeout: timeoutOf("memory", params),
    allowFailure: params.get("allow-failure") === true,
    keepOutput: params.get("keep-output") !== false,
  };
}

function badSampling(value: unknown): Failure {
  const expected = "a number of seconds from 0.000001 to 1000000";
  return new Failure("bad-collector-option", { plugin: "memory", option: "sampling", value: String(value), expected, example: "0.001" });
}

function linesOf(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

async function trace(job: Job, shell: Shell, { timeout, limit }: Plan, folder: string): Promise<Outcome> {
  return shell.run(splitCommand(`${job.cmd} ${job.workload}`), {
    directory: job.directory,
    captureLimit: outputLimit,
    preload: await shell.library(library),
    environment: { PERFKEEP_ALLOCATIONS: folder, PERFKEEP_ALLOCATIONS_LIMIT: String(limit) },
    ...(timeout === null ? {} : { timeoutSeconds: timeout }),
  });
}

/** The logs of all processes of the command in order of their start. Fails with `untraceable`. */
function logsIn(folder: string, outcome: Outcome, job: Job, plan: Plan): AllocationLog[] {
  const all = readdirSync(folder).map((name) => decodeAllocationLog(readFileSync(join(folder, name))));
  // What starts the program, where something does, leads the session; the program never does.
  const isLaunched = outcome.clock === "wait4" || outcome.clock === "perl-wait4";
  const logs = all.filter(({ process, session, stopped }) => stopped === "disk" || !isLaunched || process !== session);
  const what = `'${`${job.cmd} ${job.workload}`.trim()}'`;
  if (logs.length === 0) throw new Failure("untraceable", { what, ...notLoaded });
  const stopped = logs.find((log) => log.stopped !== null)?.stopped;
  if (stopped === "limit")
    throw new Failure("untraceable", {
      what,
      reason: `it allocates and frees more than ${plan.limit} times`,
      instead: `measure a smaller workload, or raise the collector's option limit (to ${mostRecords} at most)`,
    });
  if (stopped === "disk")
    throw new Failure("untraceable", { what, reason: `there is no room in ${tmpdir()}`, instead: "make room, or set TMPDIR" });
  return logs.toSorted((a, b) => Number(a.started - b.started));
}

const notLoaded = {
  reason: "it did not load the tracing library",
  instead: "link it dynamically, for this machine's own processor, and without setuid",
};

function runOf(job: Job, plan: Plan, outcome: Outcome, subjects: ReturnType<typeof subjectsOf>): Run {
  const { cmd, workload, machine } = job;
  const collector = { name: "memory", params: paramsOf(plan) };
  const run = profileOf({ type: "memory", cmd, workload, units: { memory: "B" }, collector, machine, subjects });
  return { ...run, extra: new Map<string, Json>([...run.extra, ["execution", executionOf([outcome], plan.keepOutput)]]) };
}

function paramsOf({ sampling, noFunctions, noSources, all, timeout, allowFailure }: Plan): JsonObject {
  return jsonObject({
    sampling: JsonNumber.float(sampling),
    "no-func": [...noFunctions],
    "no-source": [...noSources],
    all,
    ...(timeout === null ? {} : { timeout: JsonNumber.float(timeout) }),
    ...(allowFailure ? { "allow-failure": true } : {}),
  });
}
