import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { type PerfCount, readPerfStat } from "../../formats/benchmarks/perf-stat.ts";
import {
  type Job,
  lastLine,
  type Outcome,
  outputLimit,
  requireSuccess,
  type Shell,
  type ShellOptions,
} from "./collector.ts";
import {
  commandOf,
  type Count,
  type Counting,
  type CountingEngine,
  type CountingPlan,
  limitsOf,
} from "./counters-engine.ts";

/** In user mode: what the kernel does in between depends on what else goes on. */
const instructions = "instructions:u";

/** Times of the program as the kernel tells them when it is waited for. */
const times = ["user_time", "system_time"];

const mostAttempts = 50;

/** Units of perf, as ours. */
const units: Readonly<Record<string, string>> = { "": "event", msec: "ms", ns: "ns", Bytes: "B" };

/** How perf tells the signal by which a command ended, beside the status 0. */
const signals: Readonly<Record<string, string>> = {
  Hangup: "SIGHUP",
  Interrupt: "SIGINT",
  Quit: "SIGQUIT",
  "Illegal instruction": "SIGILL",
  "Trace/breakpoint trap": "SIGTRAP",
  Aborted: "SIGABRT",
  "Bus error": "SIGBUS",
  "Floating point exception": "SIGFPE",
  Killed: "SIGKILL",
  "User defined signal 1": "SIGUSR1",
  "Segmentation fault": "SIGSEGV",
  "User defined signal 2": "SIGUSR2",
  "Broken pipe": "SIGPIPE",
  "Alarm clock": "SIGALRM",
  Terminated: "SIGTERM",
  "CPU time limit exceeded": "SIGXCPU",
  "File size limit exceeded": "SIGXFSZ",
  "Bad system call": "SIGSYS",
};

/** Counts in the processor, also in processes that the command starts. */
export const perfEngine: CountingEngine = {
  name: "perf",
  tool: "perf",

  async count(counting) {
    const { argv, plan, job } = counting;
    const { outcome, counts } = await untilStatus(counting);
    const ended = withSignal(outcome, argv);
    if (!plan.allowFailure) requireSuccess(ended, job);
    return { outcome: ended, counts: found(counts, plan, job) };
  },
};

/** Whether the processor's counters are there to be asked. */
export async function perfIsAble(job: Job, shell: Shell, folder: string): Promise<boolean> {
  if ((await shell.which("perf")) === null) return false;
  const { counts } = await statOf(["true"], [instructions], folder, shell, {
    directory: job.directory,
    captureLimit: outputLimit,
  });
  return (counts[0]?.amount ?? 0) > 0;
}

/**
 * Counts until perf knows how the program ended: of a program that ends before perf waits for it, the status is lost
 * and reads 0, whatever it was. Then perf does not know its times either. Fails with `untraceable`.
 */
async function untilStatus({ argv, plan, folder, shell, job }: Counting): Promise<Counted> {
  const limits = limitsOf(plan, job);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const { outcome, counts } = await statOf(argv, [...eventsOf(plan), ...times], folder, shell, limits);
    if (counts.length <= times.length) throw unable(job, firstLine(outcome.stderr));
    if (counts.slice(-times.length).some(({ amount }) => amount !== null))
      return { outcome, counts: counts.slice(0, -times.length) };
  }
  throw unable(job, `it is so short that perf did not see how it ended, ${mostAttempts} times`);
}

function eventsOf({ events, cache, branches }: CountingPlan): readonly string[] {
  if (events.length > 0) return events;
  return [
    instructions,
    "cycles:u",
    ...(cache ? ["cache-references:u", "cache-misses:u"] : []),
    ...(branches ? ["branches:u", "branch-misses:u"] : []),
  ];
}

interface Counted {
  readonly outcome: Outcome;
  readonly counts: readonly PerfCount[];
}

async function statOf(
  argv: readonly string[],
  events: readonly string[],
  folder: string,
  shell: Shell,
  limits: ShellOptions,
): Promise<Counted> {
  const file = join(folder, "stat");
  rmSync(file, { force: true });
  const chosen = events.flatMap((event) => ["-e", event]);
  const outcome = await shell.run(["perf", "stat", "-x", "\\t", "-o", file, ...chosen, "--", ...argv], {
    ...limits,
    environment: { LANGUAGE: "en" },
  });
  return { outcome, counts: existsSync(file) ? readPerfStat(readFileSync(file, "utf8")) : [] };
}

/** What was counted. An event that was asked for by name has to be there. Fails with `untraceable`. */
function found(counts: readonly PerfCount[], plan: CountingPlan, job: Job): Count[] {
  const missing = counts.find(({ amount }) => amount === null);
  const there = counts.flatMap(({ event, amount, unit, percent }): Count[] =>
    amount === null ? [] : [{ event, name: event, amount, unit: units[unit] ?? unit, percent }],
  );
  if (missing !== undefined && (plan.events.length > 0 || there.length === 0))
    throw unable(job, `perf cannot count ${missing.event} here`);
  return there;
}

function unable(job: Job, reason: string): Failure {
  const instead = "choose other events, or the collector's option engine: callgrind";
  return new Failure("untraceable", { what: commandOf(job), reason, instead });
}

function firstLine(bytes: Uint8Array): string {
  const lines = new TextDecoder().decode(bytes.subarray(0, 4096)).split("\n");
  return (lines.find((line) => line.trim() !== "") ?? "perf counted nothing").trim().slice(0, 200);
}

/** perf stat ends with 0 when a signal ended the program, and only prints its name behind all else. */
function withSignal(outcome: Outcome, [program = ""]: readonly string[]): Outcome {
  const line = lastLine(outcome.stderr);
  const signal = line.startsWith(`${program}: `) ? signals[line.slice(program.length + 2)] : undefined;
  return signal === undefined || outcome.status !== 0 ? outcome : { ...outcome, status: null, signal };
}
