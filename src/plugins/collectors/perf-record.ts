import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import type { PerfScriptReader } from "../../formats/stacks/perf/perf-script.ts";
import { type Job, lastLine, type Outcome, outputLimit, type Shell, type ShellOptions } from "./collector.ts";

export const callGraphs: readonly CallGraph[] = ["fp", "dwarf", "lbr", "none"];
export const rings: readonly Ring[] = ["user", "kernel"];

type CallGraph = "fp" | "dwarf" | "lbr" | "none";
type Ring = "user" | "kernel";

/** How perf is to sample. */
export interface PerfPlan {
  /** None: perf's own choice, which is `cycles`, or `cpu-clock` where the machine counts no cycles. */
  readonly events: readonly string[];
  readonly frequency: number;
  readonly callGraph: CallGraph;
  readonly only: Ring | null;
  readonly inlined: boolean;
  readonly withSudo: boolean;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
}

const deepestStack = "1024";

/** Fails with `tool-missing`. */
export async function requirePerf(shell: Shell): Promise<void> {
  if ((await shell.which("perf")) !== null) return;
  throw new Failure("tool-missing", {
    tool: "perf",
    install: "it belongs to the Linux kernel (Debian: apt install linux-perf)",
  });
}

/**
 * Samples a program that does nothing, since perf tells why it cannot sample only where it may print between what a
 * program prints. Fails with `untraceable`.
 */
export async function tryOut(plan: PerfPlan, job: Job, shell: Shell, folder: string): Promise<void> {
  if (plan.withSudo && (await shell.which("sudo")) === null)
    throw new Failure("tool-missing", {
      tool: "sudo",
      install: "or leave out the collector's option with-sudo where you are root",
    });
  const outcome = await shell.run([...recording(plan, folder), "--", "true"], {
    directory: job.directory,
    captureLimit: outputLimit,
  });
  if (outcome.status !== 0) throw unable(job, outcome, plan);
}

/** Runs the program under perf; its samples are then in `folder`. Fails with `untraceable`. */
export async function recordOnce(
  argv: readonly string[],
  plan: PerfPlan,
  job: Job,
  shell: Shell,
  folder: string,
): Promise<Outcome> {
  rmSync(dataIn(folder), { force: true });
  const program = plan.withSudo ? await absolute(argv, shell) : argv;
  const outcome = await shell.run([...recording(plan, folder), "-q", "--", ...program], limitsOf(plan, job));
  if (!existsSync(dataIn(folder))) throw unable(job, outcome, plan);
  return outcome;
}

/** Runs the program alone, to warm up. */
export function runWithout(argv: readonly string[], plan: PerfPlan, job: Job, shell: Shell): Promise<Outcome> {
  return shell.run(argv, limitsOf(plan, job));
}

/** Reads what `recordOnce` left; answers how many samples the kernel had no room for. Fails with `untraceable`. */
export async function readSamples(
  plan: PerfPlan,
  job: Job,
  shell: Shell,
  folder: string,
  reader: PerfScriptReader,
): Promise<number> {
  const inline = plan.inlined ? "--inline" : "--no-inline";
  const words = [
    "perf",
    "script",
    "-i",
    dataIn(folder),
    "-F",
    "comm,pid,tid,time,period,event,ip,sym,dso",
    inline,
    "--max-stack",
    deepestStack,
    "--show-lost-events",
  ];
  const outcome = await shell.run([...sudo(plan), ...words], {
    directory: job.directory,
    captureLimit: outputLimit,
    // Neither the user's columns nor a server of debug information change what is read.
    environment: { PERF_CONFIG: "/dev/null", DEBUGINFOD_URLS: "" },
    onOutput: (piece) => reader.push(piece),
  });
  if (outcome.status !== 0) throw unable(job, outcome, plan);
  return reader.end("perf script").lost;
}

function recording(plan: PerfPlan, folder: string): string[] {
  const events = plan.events.length > 0 ? plan.events : ["cycles"];
  const graph = plan.callGraph === "none" ? [] : ["--call-graph", plan.callGraph];
  const chosen = events.flatMap((event) => ["-e", withRing(event, plan.only)]);
  // Copies of the program in ~/.debug would outlive the measurement. To hear of BPF programs perf waits up to a second
  // at its end.
  return [
    ...sudo(plan),
    "perf",
    "record",
    "--no-buildid-cache",
    "--no-bpf-event",
    "-o",
    dataIn(folder),
    "-F",
    String(plan.frequency),
    ...graph,
    ...chosen,
  ];
}

function withRing(event: string, ring: Ring | null): string {
  if (ring === null) return event;
  return event.endsWith("/") ? `${event}${ring[0]}` : `${event}:${ring[0]}`;
}

function sudo({ withSudo }: PerfPlan): string[] {
  return withSudo ? ["sudo", "-n"] : [];
}

function dataIn(folder: string): string {
  return join(folder, "perf.data");
}

/** sudo looks for programs in places of its own. */
async function absolute([program = "", ...words]: readonly string[], shell: Shell): Promise<string[]> {
  return [(program.includes("/") ? null : await shell.which(program)) ?? program, ...words];
}

function limitsOf({ timeout }: PerfPlan, { directory }: Job): ShellOptions {
  return { directory, captureLimit: outputLimit, ...(timeout === null ? {} : { timeoutSeconds: timeout }) };
}

function unable(job: Job, { stderr, status }: Outcome, plan: PerfPlan): Failure {
  const reason = firstComplaint(stderr) || `perf ended with status ${status}`;
  const instead = plan.withSudo
    ? "let sudo run perf without asking for a password"
    : "choose other options event, only or call-graph, or lower kernel.perf_event_paranoid as root";
  return new Failure("untraceable", { what: `'${`${job.cmd} ${job.workload}`.trim()}'`, reason, instead });
}

/** perf puts the reason first and advice behind it. */
function firstComplaint(stderr: Uint8Array): string {
  const lines = new TextDecoder().decode(stderr.subarray(0, 4096)).split("\n");
  const told = lines
    .map((line) => line.trim())
    .find((line) => line !== "" && line !== "Error:" && !line.startsWith("[ perf record:"));
  return (told ?? lastLine(stderr)).slice(0, 200);
}
