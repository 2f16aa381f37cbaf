import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Failure, isFailure } from "../../../core/failures/failure.ts";
import { decodeCallLog, type CallLog, type CallLogStop } from "../../../formats/traces/call-log.ts";
import { symbolsByAddress, type FunctionSymbol } from "../../../formats/traces/symbol-table.ts";
import { type Job, type Outcome, outputLimit, requireSuccess, type Shell } from "../collector.ts";
import type { WatchedFile, Watching } from "./function-selection.ts";
import { symbolsOf } from "./symbols.ts";
import type { CalledFunction, WatchedProcess } from "./traced-process.ts";

const library = "calls.c";

/** Which calls are written down, of which program. */
export interface Watch {
  readonly argv: readonly string[];
  /** Files whose functions are known already. */
  readonly files: readonly WatchedFile[];
  /** Functions by file; null: all that are instrumented. */
  readonly chosen: ReadonlyMap<WatchedFile, ReadonlyMap<bigint, Watching>> | null;
  /** Each so manieth call of the others. */
  readonly every: number;
  /** Processor time of the thread instead of what a clock on the wall tells; threads are not to be compared then. */
  readonly isCpuTime: boolean;
  /** Calls of one process after which the job fails. */
  readonly limit: number;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
}

/** What was seen; the outcome is null where the time was over and this is allowed. */
export interface Watched {
  readonly outcome: Outcome | null;
  /** In the order in which they started; only those that called something. */
  readonly processes: readonly WatchedProcess[];
}

/** Runs an instrumented program and reads what its functions did. Fails with `untraceable` and `command-failed`. */
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

/** Answers null when the time was over and what was seen until then is wanted. */
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

/** As assets/calls.c reads it. */
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

/** The logs of all processes that called something, in order of their start. */
function logsIn(folder: string, outcome: Outcome | null, { limit }: Watch, job: Job): CallLog[] {
  const all = readdirSync(folder).map((name) => decodeCallLog(readFileSync(join(folder, name))));
  // What starts the program, where something does, leads the session; the program never does.
  const isLaunched = outcome === null || outcome.clock === "wait4" || outcome.clock === "perl-wait4";
  const logs = all.filter(({ process, session, stopped }) => stopped === "disk" || !isLaunched || process !== session);
  const what = `'${`${job.cmd} ${job.workload}`.trim()}'`;
  if (logs.length === 0) throw new Failure("untraceable", { what, ...notLoaded });
  const stopped = logs.find((log) => log.stopped !== null)?.stopped ?? null;
  if (stopped !== null) throw new Failure("untraceable", { what, ...whyStopped(stopped, limit) });
  const told = logs.filter(({ threads }) => threads.some(({ starts }) => starts.length > 0));
  if (told.length === 0) throw new Failure("untraceable", { what, ...notCalled });
  return told.toSorted((a, b) => Number(a.started - b.started));
}

const notLoaded = {
  reason: "it did not load the library that watches calls",
  instead: "link it dynamically, for this machine's own processor, and without setuid",
};

const notCalled = {
  reason: "none of the functions that are watched was called",
  instead: "build it with -finstrument-functions, or choose other functions",
};

function whyStopped(stopped: CallLogStop, limit: number): Readonly<Record<"reason" | "instead", string>> {
  const reasons = {
    limit: [
      `its functions are called more than ${limit} times`,
      "choose functions, sample them, or raise the collector's option limit",
    ],
    disk: [`there is no room in ${tmpdir()}`, "make room, or set TMPDIR"],
    depth: ["more than 262144 calls lie within each other", "measure a smaller workload"],
    functions: [
      "it has more than 49152 functions that are called",
      "build only some of its sources with -finstrument-functions",
    ],
  } as const;
  const [reason, instead] = reasons[stopped];
  return { reason, instead };
}

/** Names of functions by file and address; each file is read once. */
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
    const found = new Map<number, CalledFunction>();
    for (const [id, { path, offset }] of log.functions) {
      const symbol = (await this.#file(path)).get(offset);
      const name = symbol?.name ?? `0x${offset.toString(16)}`;
      found.set(id, { name, prototype: symbol?.prototype ?? name, file: basename(path) });
    }
    return found;
  }

  async #file(path: string): Promise<ReadonlyMap<bigint, FunctionSymbol>> {
    const known = this.#files.get(path);
    if (known) return known;
    const read = symbolsByAddress(await symbolsOf(path, this.#shell, this.#directory));
    this.#files.set(path, read);
    return read;
  }
}
