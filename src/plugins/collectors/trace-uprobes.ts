import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { firstNames } from "../../core/text/index.ts";
import {
  ProbeLog,
  isProbeName,
  isProbePath,
  type ProbedFunction,
  probeScript,
  type StaticProbe,
  symbolsByAddress,
} from "../../formats/traces/index.ts";
import { traceSubjects } from "./calls/call-rows.ts";
import type { CalledFunction } from "./calls/traced-process.ts";
import { notStarted, requireStarted, shellQuote, tracerEnd, tracerStart, untraceable } from "./calls/bpftrace-start.ts";
import { functionsToOmit } from "./calls/call-survey.ts";
import { type Job, type Outcome, requireProgram, requireSuccess, type Shell } from "./collector.ts";
import { limitsOf } from "./run-plan.ts";
import type { TracePlan } from "./trace-plan.ts";
import { staticProbesFor, choiceOf, type Traced, type TraceTarget, type TraceWatcher } from "./trace-target.ts";

/** Each probe takes about a millisecond to set and to remove. */
const maxProbes = 2000;

/** Size of the kernel's event buffer, in pages per processor. */
const bufferPages = 2048;

/** True when uprobes are probably available; checks without setting one. */
export async function hasUprobes(shell: Shell): Promise<boolean> {
  return unavailableReason() === null && (await shell.which("bpftrace")) !== null;
}

/** The initial process namespace, whose ids bpftrace reports. */
const initialNamespace = "pid:[4026531836]";

/** Why uprobes are unavailable for any program; null if they may work. */
function unavailableReason(): string | null {
  if (process.getuid?.() !== 0) return "only root can set kernel probes";
  if (!existsSync("/sys/kernel/btf/vmlinux")) return "this kernel has no type information (CONFIG_DEBUG_INFO_BTF)";
  if (readlinkSync("/proc/self/ns/pid") !== initialNamespace)
    return "bpftrace reports process ids of the host, which differ from those of this container";
  return null;
}

/**
 * Traces function entries and returns with bpftrace and uprobes; the program needs no instrumentation. If no functions
 * are selected, those that are called too often are left out, with a notice.
 */
export async function traceByUprobes(
  target: TraceTarget,
  job: Job,
  shell: Shell,
  plan: TracePlan,
  watcher: TraceWatcher,
): Promise<Traced> {
  await requireTools(job, shell);
  await requireProgram(target.argv, job, shell);
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-uprobes-"));
  try {
    const { functions: all, probes, pairs, called } = await planProbes(target, job, shell, plan, folder);
    const functions = plan.isDefault
      ? await affordable(all, called, { target, job, shell, plan, folder, watcher })
      : all;
    writeFileSync(join(folder, "script.bt"), probeScript(functions, probes, plan.limit));
    const outcome = await run(target, job, shell, plan, { folder, probes: 2 * functions.length + probes.length });
    if (outcome !== null && !plan.allowFailure) requireSuccess(outcome, job);
    const log = readLog(folder, new ProbeLog(pairs));
    requireAll(log, job, plan);
    const processes = log.processes().map(({ threads }) => ({ functions: called, threads }));
    if (processes.length === 0)
      throw untraceable(job, "none of the traced functions was called", "select other functions");
    return {
      outcome,
      units: { "mixed(time delta)": "us" },
      subjects: traceSubjects(processes, job.workload, plan.isMangled),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function requireTools(job: Job, shell: Shell): Promise<void> {
  if ((await shell.which("bpftrace")) === null)
    throw new Failure("tool-missing", { tool: "bpftrace", install: "bpftrace (Debian: apt install bpftrace)" });
  const reason = unavailableReason();
  if (reason !== null) throw untraceable(job, reason, "build it with -finstrument-functions, or use engine: callgrind");
}

interface ProbePlan {
  readonly functions: readonly ProbedFunction[];
  readonly probes: readonly StaticProbe[];
  readonly pairs: ReadonlyMap<number, number>;
  readonly called: ReadonlyMap<number, CalledFunction>;
}

/** The probes to set. Paths are symlinks in the scratch folder, since user paths may contain any characters. */
async function planProbes(
  target: TraceTarget,
  job: Job,
  shell: Shell,
  plan: TracePlan,
  folder: string,
): Promise<ProbePlan> {
  const called = new Map<number, CalledFunction>();
  const functions: ProbedFunction[] = [];
  const chosen = plan.others === null && plan.choices.length === 0 ? [] : choiceOf(target, plan);
  const links = new Map(
    target.files.map(({ path }, at) => [path, linkTo(path, join(folder, `file${at}`), job)] as const),
  );
  for (const [file, selected] of chosen) {
    const symbols = symbolsByAddress(file.symbols);
    for (const [address, { every, argument }] of selected) {
      const { name, prototype } = symbols.get(address)!;
      if (!isProbeName(name))
        throw untraceable(
          job,
          `bpftrace does not accept the name '${name.slice(0, 80)}'`,
          "select functions with func",
        );
      const id = called.size;
      called.set(id, { name, prototype, file: basename(file.path) });
      functions.push({ id, path: links.get(file.path)!, name, every, argument });
    }
  }
  const statics = await staticProbesFor(target, plan, job, shell, (path) => links.get(path)!, called.size);
  const all = functions.length + statics.probes.length;
  if (all === 0)
    throw untraceable(job, "it has no known functions", "select functions with func, or do not strip the program");
  if (all > maxProbes)
    throw untraceable(
      job,
      `it has ${all} functions, more than the maximum of ${maxProbes} probes`,
      "select functions with func",
    );
  return { functions, probes: statics.probes, pairs: statics.pairs, called: new Map([...called, ...statics.called]) };
}

function linkTo(path: string, link: string, job: Job): string {
  if (!isProbePath(link))
    throw untraceable(
      job,
      `bpftrace does not accept paths such as '${tmpdir()}'`,
      "set TMPDIR to a folder with a plain name",
    );
  symlinkSync(path, link);
  return link;
}

interface Prepared {
  readonly folder: string;
  readonly probes: number;
}

/**
 * Runs a generated shell script that starts bpftrace, waits until the probes are set, and runs the program, whose exit
 * status it returns.
 */
async function run(
  target: TraceTarget,
  job: Job,
  shell: Shell,
  plan: TracePlan,
  { folder, probes }: Prepared,
): Promise<Outcome | null> {
  const start = join(folder, "start");
  writeFileSync(start, startScript(folder, target.argv));
  try {
    const outcome = await shell.run([(await shell.which("sh")) ?? "/bin/sh", start], {
      ...limitsOf(plan, job),
      environment: environmentFor(probes),
    });
    if (outcome.status === notStarted) requireStarted(folder, job);
    return outcome;
  } catch (error) {
    if (plan.allowFailure && isFailure(error, "command-timed-out")) return null;
    throw error;
  }
}

function environmentFor(probes: number): Readonly<Record<string, string>> {
  return { BPFTRACE_MAX_PROBES: String(probes + 16), BPFTRACE_PERF_RB_PAGES: String(bufferPages) };
}

interface Survey {
  readonly target: TraceTarget;
  readonly job: Job;
  readonly shell: Shell;
  readonly plan: TracePlan;
  readonly folder: string;
  readonly watcher: TraceWatcher;
}

/** The functions that can be recorded without slowing the program down beyond use. */
async function affordable(
  functions: readonly ProbedFunction[],
  called: ReadonlyMap<number, CalledFunction>,
  { target: { argv }, job, shell, plan, folder, watcher: { progress, notice } }: Survey,
): Promise<readonly ProbedFunction[]> {
  const { limit, timeout } = plan;
  const environment = environmentFor(functions.length);
  const omitted = await functionsToOmit(functions, {
    argv,
    job,
    shell,
    folder,
    environment,
    limit,
    timeout,
    progress,
  });
  if (omitted.length === 0) return functions;
  const named = omitted.map(
    ({ id, calls, isWhole }) => `${called.get(id)?.prototype ?? ""} (${calls}${isWhole ? "" : "+"} calls)`,
  );
  notice(`not traced, since they are called too often: ${firstNames(named, 3)}; select functions with func`);
  const ids = new Set(omitted.map(({ id }) => id));
  return functions.filter(({ id }) => !ids.has(id));
}

/** Runs the program and waits until the log stops growing, since bpftrace drops unread events when terminated. */
function startScript(folder: string, argv: readonly string[]): string {
  const log = shellQuote(join(folder, "log"));
  return `${tracerStart(folder)}
${argv.map(shellQuote).join(" ")}
status=$?
before=-1 same=0
while [ $same -lt 5 ] && kill -0 $tracer 2>/dev/null; do
  sleep 0.05
  now=$(wc -c <${log})
  if [ "$now" = "$before" ]; then same=$((same + 1)); else same=0 before=$now; fi
done
${tracerEnd()}
exit $status
`;
}

function readLog(folder: string, log: ProbeLog): ProbeLog {
  const chunk = new Uint8Array(1 << 20);
  const descriptor = openSync(join(folder, "log"), "r");
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
      log.push(chunk.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
  return log;
}

function requireAll(log: ProbeLog, job: Job, { limit }: TracePlan): void {
  const instead = "select functions, sample them, or raise the collector's option limit";
  if (log.exceedsLimit) throw untraceable(job, `its functions are called more than ${limit} times`, instead);
  if (log.lost > 0) throw untraceable(job, `bpftrace lost ${log.lost} events`, "select functions, or sample them");
}
