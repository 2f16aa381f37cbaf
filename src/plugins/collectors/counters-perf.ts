import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { type PerfCount, readPerfStat } from "../../formats/benchmarks/index.ts";
import {
  type Job,
  lastLine,
  type Outcome,
  outputLimit,
  requireSuccess,
  type Shell,
  type ShellOptions,
} from "./collector.ts";
import { limitsOf } from "./run-plan.ts";
import { commandOf, type Count, type Counting, type CountingEngine, type CountingPlan } from "./counters-engine.ts";

/** User mode only: kernel work depends on other activity. */
const instructions = "instructions:u";

/** CPU times that the kernel reports to wait(2). */
const times = ["user_time", "system_time"];

const maxAttempts = 50;

/** Profile units by perf's units. */
const units: Readonly<Record<string, string>> = { "": "event", msec: "ms", ns: "ns", Bytes: "B" };

/** Signals by the names that perf prints, while its status is 0. */
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

/** Counts with the processor's counters, including child processes. */
export const perfEngine: CountingEngine = {
  name: "perf",
  tool: "perf",

  async count(counting) {
    const { argv, plan, job } = counting;
    const { outcome, counts } = await countUntilStatusKnown(counting);
    const ended = withSignal(outcome, argv);
    if (!plan.allowFailure) requireSuccess(ended, job);
    return { outcome: ended, counts: availableCounts(counts, plan, job) };
  },
};

/** True when the processor's counters are accessible. */
export async function isPerfUsable(job: Job, shell: Shell, folder: string): Promise<boolean> {
  if ((await shell.which("perf")) === null) return false;
  const { counts } = await statOf(["true"], [instructions], folder, shell, {
    directory: job.directory,
    captureLimit: outputLimit,
  });
  return (counts[0]?.amount ?? 0) > 0;
}

/**
 * Repeats until perf knows the exit status: for a program that exits before perf waits for it, perf reports 0 and no
 * CPU times. Fails with `untraceable`.
 */
async function countUntilStatusKnown({ argv, plan, folder, shell, job }: Counting): Promise<Counted> {
  const limits = limitsOf(plan, job);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { outcome, counts } = await statOf(argv, [...eventsOf(plan), ...times], folder, shell, limits);
    if (counts.length <= times.length) throw uncountable(job, firstLine(outcome.stderr));
    if (counts.slice(-times.length).some(({ amount }) => amount !== null))
      return { outcome, counts: counts.slice(0, -times.length) };
  }
  throw uncountable(job, `it is so short that perf missed its exit status in ${maxAttempts} attempts`);
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
  const eventFlags = events.flatMap((event) => ["-e", event]);
  const outcome = await shell.run(["perf", "stat", "-x", "\\t", "-o", file, ...eventFlags, "--", ...argv], {
    ...limits,
    environment: { LANGUAGE: "en" },
  });
  return { outcome, counts: existsSync(file) ? readPerfStat(readFileSync(file, "utf8")) : [] };
}

/** The available counts. Fails with `untraceable` when a requested event is missing. */
function availableCounts(counts: readonly PerfCount[], plan: CountingPlan, job: Job): Count[] {
  const missing = counts.find(({ amount }) => amount === null);
  const available = counts.flatMap(({ event, amount, unit, percent }): Count[] =>
    amount === null ? [] : [{ event, name: event, amount, unit: units[unit] ?? unit, percent }],
  );
  if (missing !== undefined && (plan.events.length > 0 || available.length === 0))
    throw uncountable(job, `perf cannot count ${missing.event} here`);
  return available;
}

function uncountable(job: Job, reason: string): Failure {
  const instead = "select other events, or use engine: callgrind";
  return new Failure("untraceable", { what: commandOf(job), reason, instead });
}

function firstLine(bytes: Uint8Array): string {
  const lines = new TextDecoder().decode(bytes.subarray(0, 4096)).split("\n");
  return (lines.find((line) => line.trim() !== "") ?? "perf counted nothing").trim().slice(0, 200);
}

/** perf stat exits with 0 when a signal terminated the program, and prints the signal's name last. */
function withSignal(outcome: Outcome, [program = ""]: readonly string[]): Outcome {
  const line = lastLine(outcome.stderr);
  const signal = line.startsWith(`${program}: `) ? signals[line.slice(program.length + 2)] : undefined;
  return signal === undefined || outcome.status !== 0 ? outcome : { ...outcome, status: null, signal };
}
