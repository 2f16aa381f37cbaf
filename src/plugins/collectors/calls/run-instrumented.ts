import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Failure, isFailure } from "../../../core/failures/index.ts";
import {
  decodeCallLog,
  type CallLog,
  type CallLogStop,
  symbolsByAddress,
  type FunctionSymbol,
} from "../../../formats/traces/index.ts";
import { type Job, type Outcome, outputLimit, requireSuccess, type Shell } from "../collector.ts";
import type { WatchedFile, Watching } from "./function-selection.ts";
import { symbolsOf } from "./symbols.ts";
import type { CalledFunction, WatchedProcess } from "./traced-process.ts";

const library = "calls.c";

/** What to run and which calls to record. */
export interface Watch {
  readonly argv: readonly string[];
  /** Files with known symbols. */
  readonly files: readonly WatchedFile[];
  /** Selected functions by file; null: all instrumented ones. */
  readonly chosen: ReadonlyMap<WatchedFile, ReadonlyMap<bigint, Watching>> | null;
  /** Record every Nth call of functions without their own sampling. */
  readonly every: number;
  /** CPU time of the thread instead of wall clock; then times of threads are not comparable. */
  readonly isCpuTime: boolean;
  /** Maximum calls per process; the job fails above. */
  readonly limit: number;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
}

/** Recorded processes; the outcome is null after a permitted timeout. */
export interface Watched {
  readonly outcome: Outcome | null;
  /** By start time; only those with recorded calls. */
  readonly processes: readonly WatchedProcess[];
}

/** Runs an instrumented program and reads its call logs. Fails with `untraceable` and `command-failed`. */
export async function watchInstrumented(job: Job, shell: Shell, watch: Watch): Promise<Watched> {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-calls-"));
  try {
    const outcome = await run(job, shell, watch, folder);
    if (outcome !== null && !watch.allowFailure) requireSuccess(outcome, job);
    const logs = logsIn(join(folder, "logs"), outcome, watch, job);
    const names = new Names(watch.files, shell, job.directory);
    const processes: WatchedProcess[] = [];
    for (const log of logs) processes.push({ functions: await names.of(log), threads: log.threads });
    return { outcome, processes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns null after a timeout if failures are allowed. */
async function run(job: Job, shell: Shell, watch: Watch, folder: string): Promise<Outcome | null> {
  const [logs, plan] = [join(folder, "logs"), join(folder, "plan")];
  mkdirSync(logs);
  writeFileSync(plan, planOf(watch));
  const limits = {
    PERFKEEP_CALLS: logs,
    PERFKEEP_CALLS_PLAN: plan,
    PERFKEEP_CALLS_LIMIT: String(watch.limit),
    ...(watch.isCpuTime ? { PERFKEEP_CALLS_CPU: "1" } : {}),
  };
  try {
    return await shell.run(watch.argv, {
      directory: job.directory,
      captureLimit: outputLimit,
      preload: await shell.library(library),
      environment: limits,
      ...(watch.timeout === null ? {} : { timeoutSeconds: watch.timeout }),
    });
  } catch (error) {
    if (watch.allowFailure && isFailure(error, "command-timed-out")) return null;
    throw error;
  }
}

/** The plan file for assets/calls.c. */
function planOf({ chosen, every }: Watch): string {
  if (chosen === null) return `other ${every}\n`;
  const lines = [...chosen].flatMap(([{ path }, functions]) => {
    const status = statSync(path, { bigint: true, throwIfNoEntry: false });
    const sorted = [...functions].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return status === undefined
      ? []
      : [
          `module ${status.dev} ${status.ino} 0`,
          ...sorted.map(([address, watching]) => `function ${address} ${watching.every}`),
        ];
  });
  return ["other 0", ...lines, ""].join("\n");
}

/** The logs of all processes with recorded calls, by start time. */
function logsIn(folder: string, outcome: Outcome | null, { limit }: Watch, job: Job): CallLog[] {
  const all = readdirSync(folder).map((name) => decodeCallLog(readFileSync(join(folder, name))));
  // A launcher is the session leader; the program never is.
  const isLaunched = outcome === null || outcome.clock === "wait4" || outcome.clock === "perl-wait4";
  const logs = all.filter(({ process, session, stopped }) => stopped === "disk" || !isLaunched || process !== session);
  const what = `'${`${job.cmd} ${job.workload}`.trim()}'`;
  if (logs.length === 0) throw new Failure("untraceable", { what, ...notLoaded });
  const stopped = logs.find((log) => log.stopped !== null)?.stopped ?? null;
  if (stopped !== null) throw new Failure("untraceable", { what, ...stopReason(stopped, limit) });
  const withCalls = logs.filter(({ threads }) => threads.some(({ starts }) => starts.length > 0));
  if (withCalls.length === 0) throw new Failure("untraceable", { what, ...notCalled });
  return withCalls.toSorted((a, b) => Number(a.started - b.started));
}

const notLoaded = {
  reason: "it did not load the tracing library",
  instead: "link it dynamically, for this machine's architecture, and without setuid",
};

const notCalled = {
  reason: "none of the traced functions was called",
  instead: "build it with -finstrument-functions, or select other functions",
};

function stopReason(stopped: CallLogStop, limit: number): Readonly<Record<"reason" | "instead", string>> {
  const reasons = {
    limit: [
      `its functions are called more than ${limit} times`,
      "select functions, sample them, or raise the collector's option limit",
    ],
    disk: [`no space left in ${tmpdir()}`, "free disk space, or set TMPDIR"],
    depth: ["more than 262144 nested calls", "measure a smaller workload"],
    functions: [
      "it calls more than 49152 different functions",
      "build only some of its sources with -finstrument-functions",
    ],
  } as const;
  const [reason, instead] = reasons[stopped];
  return { reason, instead };
}

/** Function names by file and address; reads each file once. */
class Names {
  readonly #shell: Shell;
  readonly #directory: string;
  readonly #files: Map<string, ReadonlyMap<bigint, FunctionSymbol>>;

  constructor(known: readonly WatchedFile[], shell: Shell, directory: string) {
    this.#files = new Map(known.map(({ path, symbols }) => [path, symbolsByAddress(symbols)]));
    this.#shell = shell;
    this.#directory = directory;
  }

  async of(log: CallLog): Promise<Map<number, CalledFunction>> {
    const functions = new Map<number, CalledFunction>();
    for (const [id, { path, offset }] of log.functions) {
      const symbol = (await this.#file(path)).get(offset);
      const name = symbol?.name ?? `0x${offset.toString(16)}`;
      functions.set(id, { name, prototype: symbol?.prototype ?? name, file: basename(path) });
    }
    return functions;
  }

  async #file(path: string): Promise<ReadonlyMap<bigint, FunctionSymbol>> {
    const known = this.#files.get(path);
    if (known) return known;
    const read = symbolsByAddress(await symbolsOf(path, this.#shell, this.#directory));
    this.#files.set(path, read);
    return read;
  }
}
