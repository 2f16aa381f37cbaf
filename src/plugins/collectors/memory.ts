import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { heapSubjects } from "../../formats/stacks/heap/heap-rows.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import {
  type Collector,
  collectorOption as option,
  countOf,
  executionOf,
  type Job,
  outputLimit,
  requireProgram,
  requireSuccess,
  runOptions,
  type Shell,
  timeoutOf,
} from "./collector.ts";
import { heapEngines, reportsIn, type HeapEngine } from "./memory-engines.ts";
import { library, mostRecords, traced, type Measured, type TracePlan } from "./memory-preload.ts";

const defaultSampling = 0.001;
const defaultLimit = 1_000_000;

const options: readonly Variable[] = [
  {
    ...option(
      "engine",
      "string",
      "preload",
      "what watches the program: a library of ours, or a program whose report is read",
    ),
    valid: ["preload", ...Object.keys(heapEngines)],
  },
  option("sampling", "float", defaultSampling, "seconds of a snapshot"),
  option("no-func", "text", null, "functions, a line each: what they allocate is left out"),
  option("no-source", "text", null, "source files, a line each: what is allocated there is left out"),
  option("all", "boolean", false, "also allocations and calls that no source is known of"),
  option("limit", "integer", defaultLimit, "allocations of one process after which the job fails"),
  ...runOptions("the allocations"),
];

/**
 * Writes down every allocation of a program and what it starts: a row for each call of malloc, calloc, realloc,
 * reallocarray, memalign, posix_memalign, aligned_alloc, valloc and free that succeeded, with bytes, address and the
 * calls that led there, laid out as Perun's collector of this name does. C++ allocates through these.
 */
export const memory: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "memory",
  synopsis: "every allocation of a C or C++ program, with the calls that led there",
  options,
  profileType: "memory",

  async prepare(shell, params) {
    const engine = heapEngines[String(params?.get("engine"))];
    if (engine !== undefined) return requireTool(shell, engine);
    await shell.library(library);
    if ((await shell.which("addr2line")) === null)
      throw new Failure("tool-missing", { tool: "addr2line", install: "GNU binutils (Debian: apt install binutils)" });
  },

  async collect(job, shell, progress = () => {}) {
    const plan = planOf(job.params);
    const folder = mkdtempSync(join(tmpdir(), "perfkeep-memory-"));
    try {
      const engine = heapEngines[plan.engine];
      const measured =
        engine === undefined
          ? await traced(job, shell, plan, folder, progress)
          : await reported(job, shell, plan, engine, folder);
      return runOf(job, plan, measured);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

async function requireTool(shell: Shell, { tool, install }: HeapEngine): Promise<void> {
  if ((await shell.which(tool)) === null) throw new Failure("tool-missing", { tool, install });
}

/**
 * Runs the command under another program that watches its memory. Fails with `untraceable`, `command-failed`,
 * `tool-missing`.
 */
async function reported(job: Job, shell: Shell, plan: Plan, engine: HeapEngine, folder: string): Promise<Measured> {
  const words = splitCommand(`${job.cmd} ${job.workload}`);
  await requireProgram(words, job, shell);
  const outcome = await shell.run(engine.argv(folder, words), {
    directory: job.directory,
    captureLimit: outputLimit,
    ...(plan.timeout === null ? {} : { timeoutSeconds: plan.timeout }),
  });
  if (!plan.allowFailure) requireSuccess(outcome, job);
  const reports = await reportsIn(folder, engine, shell);
  if (reports.length === 0)
    throw new Failure("untraceable", {
      what: `'${words.join(" ")}'`,
      reason: `${engine.tool} wrote no report`,
      instead: `see what ${engine.tool} says of it`,
    });
  return { outcome, subjects: heapSubjects(reports, { ...plan, directory: job.directory }) };
}

interface Plan extends TracePlan {
  readonly engine: string;
  readonly keepOutput: boolean;
}

function planOf(params: Values): Plan {
  const engine = String(params.get("engine") ?? "preload");
  const sampling = params.get("sampling") ?? defaultSampling;
  if (!(typeof sampling === "number" && sampling >= 1e-6 && sampling <= 1e6)) throw badSampling(sampling);
  const limit = countOf("memory", params, "limit", defaultLimit, 1, mostRecords);
  if (engine !== "preload" && (sampling !== defaultSampling || limit !== defaultLimit))
    throw new Failure("unusable-combination", {
      what: `${sampling === defaultSampling ? "limit" : "sampling"} is an option of the engine preload, not of ${engine}`,
      instead: "leave it out, or take the engine preload",
    });
  return {
    engine,
    sampling,
    limit,
    all: params.get("all") === true,
    noFunctions: linesOf(params.get("no-func")),
    noSources: linesOf(params.get("no-source")),
    timeout: timeoutOf("memory", params),
    allowFailure: params.get("allow-failure") === true,
    keepOutput: params.get("keep-output") !== false,
  };
}

function badSampling(value: unknown): Failure {
  const expected = "a number of seconds from 0.000001 to 1000000";
  return new Failure("bad-collector-option", {
    plugin: "memory",
    option: "sampling",
    value: String(value),
    expected,
    example: "0.001",
  });
}

function linesOf(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function runOf(job: Job, plan: Plan, { outcome, subjects }: Measured): Run {
  const { cmd, workload, machine } = job;
  const collector = { name: "memory", params: paramsOf(plan) };
  const run = profileOf({ type: "memory", cmd, workload, units: { memory: "B" }, collector, machine, subjects });
  return {
    ...run,
    extra: new Map<string, Json>([...run.extra, ["execution", executionOf([outcome], plan.keepOutput)]]),
  };
}

function paramsOf({ engine, sampling, noFunctions, noSources, all, timeout, allowFailure }: Plan): JsonObject {
  return jsonObject({
    ...(engine === "preload" ? { sampling: JsonNumber.float(sampling) } : { engine }),
    "no-func": [...noFunctions],
    "no-source": [...noSources],
    all,
    ...(timeout === null ? {} : { timeout: JsonNumber.float(timeout) }),
    ...(allowFailure ? { "allow-failure": true } : {}),
  });
}
