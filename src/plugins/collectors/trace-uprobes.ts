import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Failure, isFailure } from "../../core/failures/index.ts";
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
import { type Job, type Outcome, outputLimit, requireProgram, requireSuccess, type Shell } from "./collector.ts";
import type { TracePlan } from "./trace-plan.ts";
import { staticProbesFor, choiceOf, type Traced, type TraceTarget } from "./trace-target.ts";

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
 * Traces function entries and returns with bpftrace and uprobes; the program needs no instrumentation.
 */
export async function traceByUprobes(target: TraceTarget, job: Job, shell: Shell, plan: TracePlan): Promise<Traced> {
  await requireTools(job, shell);
  await requireProgram(target.argv, job, shell);
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-uprobes-"));
  try {
    const { functions, probes, pairs, called } = await planProbes(target, job, shell, plan, folder);
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

function untraceable(job: Job, reason: string, instead: string): Failure {
  return new Failure("untraceable", { what: `'${`${job.cmd} ${job.workload}`.trim()}'`, reason, instead });
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
      directory: job.directory,
      captureLimit: outputLimit,
      environment: { BPFTRACE_MAX_PROBES: String(probes + 16), BPFTRACE_PERF_RB_PAGES: String(bufferPages) },
      ...(plan.timeout === null ? {} : { timeoutSeconds: plan.timeout }),
    });
    if (outcome.status === notStarted) requireStarted(folder, job);
    return outcome;
  } catch (error) {
    if (plan.allowFailure && isFailure(error, "command-timed-out")) return null;
    throw error;
  }
}

/** Exit status of the script when bpftrace fails. */
const notStarted = 125;

/**
 * Line buffering makes the first line, which signals readiness, visible immediately. Background processes of a shell
 * ignore SIGINT. bpftrace drops unread events when terminated, so the script waits until its log stops growing.
 */
function startScript(folder: string, argv: readonly string[]): string {
  const [log, errors] = [shellQuote(join(folder, "log")), shellQuote(join(folder, "errors"))];
  return `bpftrace -q -B line ${shellQuote(join(folder, "script.bt"))} $$ >${log} 2>${errors} </dev/null &
tracer=$!
until [ -s ${log} ]; do kill -0 $tracer 2>/dev/null || exit ${notStarted}; sleep 0.02; done
${argv.map(shellQuote).join(" ")}
status=$?
before=-1 same=0
while [ $same -lt 5 ] && kill -0 $tracer 2>/dev/null; do
  sleep 0.05
  now=$(wc -c <${log})
  if [ "$now" = "$before" ]; then same=$((same + 1)); else same=0 before=$now; fi
done
kill -TERM $tracer 2>/dev/null
wait $tracer 2>/dev/null
exit $status
`;
}

/** Quotes for a POSIX shell. */
function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Fails with `untraceable`, unless the program itself exited with this status. */
function requireStarted(folder: string, job: Job): void {
  if (readFileSync(join(folder, "log")).length > 0) return;
  const lines = readFileSync(join(folder, "errors"), "utf8").split("\n");
  const reason = lines.find((line) => /^ERROR|error:/i.test(line) && !line.includes("RLIMIT_MEMLOCK")) ?? "no message";
  throw untraceable(
    job,
    `bpftrace cannot set probes: ${reason.trim().slice(0, 200)}`,
    "use another engine, or check the requirements of bpftrace",
  );
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
