import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { splitCommand } from "../../core/text/index.ts";
import { JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { profileOf } from "../../formats/profile/index.ts";
import { readDhat, type HeapReport, heapSubjects, readHeaptrack, readMassif } from "../../formats/stacks/index.ts";
import { maxTraceDepth } from "../../formats/traces/index.ts";
import {
  type Collector,
  collectorOption as option,
  countOf,
  type Job,
  requireProgram,
  requireSuccess,
  type Shell,
} from "./collector.ts";
import { type RunPlan, limitsOf, runOptions, runParams, runPlan, withExecution } from "./run-plan.ts";
import { library, maxRecords, measureWithPreload, type Measured, type TracePlan } from "./memory-preload.ts";
import { mkdtempSync, rmSync, createReadStream, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGunzip } from "node:zlib";

/** A heap profiler that runs a program and writes a report. */
interface HeapEngine {
  readonly tool: string;
  readonly install: string;
  /** The command line that profiles `words` and writes reports to `folder`. */
  argv(folder: string, words: readonly string[]): readonly string[];
  read(path: string, shell: Shell): Promise<HeapReport>;
}

const reports = "report";

const valgrind = { tool: "valgrind", install: "valgrind (Debian: apt install valgrind)" };

/**
 * Separates valgrind's messages from the program's and follows children. A `%` in file names starts a placeholder.
 */
const valgrindArgv = (name: string, folder: string): string[] => [
  "valgrind",
  `--tool=${name}`,
  "-q",
  "--trace-children=yes",
  "--fullpath-after=",
  `--log-file=${folder.replaceAll("%", "%%")}/log.%p`,
  `--${name}-out-file=${folder.replaceAll("%", "%%")}/${reports}.%p`,
];

/** Engines of the collector `memory` other than the preloaded library. */
export const heapEngines: Readonly<Record<string, HeapEngine>> = {
  massif: {
    ...valgrind,
    // All allocation sites and the exact peak.
    argv: (folder, words) => [
      ...valgrindArgv("massif", folder),
      "--detailed-freq=1",
      "--threshold=0",
      "--peak-inaccuracy=0",
      `--depth=${maxTraceDepth}`,
      ...words,
    ],
    read: (path) => readMassif(createReadStream(path), path),
  },
  dhat: {
    ...valgrind,
    argv: (folder, words) => [...valgrindArgv("dhat", folder), `--num-callers=${maxTraceDepth}`, ...words],
    read: (path) => readDhat(createReadStream(path), path),
  },
  heaptrack: {
    tool: "heaptrack",
    install: "heaptrack (Debian: apt install heaptrack)",
    argv: (folder, words) => ["heaptrack", "-o", `${folder}/${reports}`, ...words],
    read: async (path, shell) => readHeaptrack(await decompress(path, shell), path),
  },
};

/** The reports in a folder, by process. */
async function reportsIn(folder: string, engine: HeapEngine, shell: Shell): Promise<HeapReport[]> {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${reports}.`));
  const all: HeapReport[] = [];
  for (const name of names) {
    const process = Number(/\.(\d+)$/.exec(name)?.[1] ?? 0);
    all.push({ process, ...(await engine.read(join(folder, name), shell)) });
  }
  return all;
}

/** heaptrack compresses its files with gzip or zstd, depending on its build. */
async function decompress(path: string, shell: Shell): Promise<AsyncIterable<Uint8Array>> {
  if (path.endsWith(".gz")) return createReadStream(path).pipe(createGunzip()) as AsyncIterable<Uint8Array>;
  if (!path.endsWith(".zst")) return createReadStream(path) as AsyncIterable<Uint8Array>;
  if ((await shell.which("zstd")) === null)
    throw new Failure("tool-missing", { tool: "zstd", install: "zstd (Debian: apt install zstd)" });
  const decompressed = path.slice(0, -".zst".length);
  const outcome = await shell.run(["zstd", "-q", "-d", "-f", path, "-o", decompressed], { directory: "/" });
  if (outcome.status !== 0)
    throw new Failure("heap-report-damaged", { file: path, line: 1, reason: "zstd cannot unpack it" });
  return createReadStream(decompressed) as AsyncIterable<Uint8Array>;
}

const defaultSampling = 0.001;
const defaultLimit = 1_000_000;

const options: readonly Variable[] = [
  {
    ...option("engine", "string", "preload", "measure with a preloaded library, or with a heap profiler"),
    valid: ["preload", ...Object.keys(heapEngines)],
  },
  option("sampling", "float", defaultSampling, "length of a snapshot in seconds"),
  option("no-func", "text", null, "functions whose allocations are omitted, one per line"),
  option("no-source", "text", null, "source files whose allocations are omitted, one per line"),
  option("all", "boolean", false, "include allocations and calls without a known source"),
  option("limit", "integer", defaultLimit, "maximum allocations per process; the job fails above"),
  ...runOptions("the allocations"),
];

/**
 * Records every allocation of a program and its child processes: one row per successful call of malloc, calloc,
 * realloc, reallocarray, memalign, posix_memalign, aligned_alloc, valloc and free, with bytes, address and call stack,
 * in the format of Perun's collector of this name. C++ allocates through these.
 */
export const memory: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "memory",
  synopsis: "every allocation of a C or C++ program, with its call stack",
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
          ? await measureWithPreload(job, shell, plan, folder, progress)
          : await measureWithEngine(job, shell, plan, engine, folder);
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
 * Runs the command under a heap profiler. Fails with `untraceable`, `command-failed`, `tool-missing`.
 */
async function measureWithEngine(
  job: Job,
  shell: Shell,
  plan: Plan,
  engine: HeapEngine,
  folder: string,
): Promise<Measured> {
  const words = splitCommand(`${job.cmd} ${job.workload}`);
  await requireProgram(words, job, shell);
  const outcome = await shell.run(engine.argv(folder, words), limitsOf(plan, job));
  if (!plan.allowFailure) requireSuccess(outcome, job);
  const reports = await reportsIn(folder, engine, shell);
  if (reports.length === 0)
    throw new Failure("untraceable", {
      what: `'${words.join(" ")}'`,
      reason: `${engine.tool} wrote no report`,
      instead: `run ${engine.tool} on it yourself to see its messages`,
    });
  return { outcome, subjects: heapSubjects(reports, { ...plan, directory: job.directory }) };
}

interface Plan extends TracePlan, RunPlan {
  readonly engine: string;
}

function planOf(params: Values): Plan {
  const engine = String(params.get("engine") ?? "preload");
  const sampling = params.get("sampling") ?? defaultSampling;
  if (!(typeof sampling === "number" && sampling >= 1e-6 && sampling <= 1e6)) throw badSampling(sampling);
  const limit = countOf("memory", params, "limit", defaultLimit, 1, maxRecords);
  if (engine !== "preload" && (sampling !== defaultSampling || limit !== defaultLimit))
    throw new Failure("unusable-combination", {
      what: `option ${sampling === defaultSampling ? "limit" : "sampling"} of memory with engine ${engine}`,
      instead: "omit it, or use engine: preload",
    });
  return {
    engine,
    sampling,
    limit,
    all: params.get("all") === true,
    noFunctions: linesOf(params.get("no-func")),
    noSources: linesOf(params.get("no-source")),
    ...runPlan("memory", params),
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
  return withExecution(run, [outcome], plan);
}

function paramsOf(plan: Plan): JsonObject {
  const { engine, sampling, noFunctions, noSources, all } = plan;
  return jsonObject({
    ...(engine === "preload" ? { sampling: JsonNumber.float(sampling) } : { engine }),
    "no-func": [...noFunctions],
    "no-source": [...noSources],
    all,
    ...runParams(plan),
  });
}
