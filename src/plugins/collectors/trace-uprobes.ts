import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readlinkSync, readSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { ProbeLog, isProbeName, isProbePath, type ProbedFunction, probeScript, type StaticProbe } from "../../formats/traces/bpftrace.ts";
import { symbolsByAddress } from "../../formats/traces/symbol-table.ts";
import { traceSubjects } from "./calls/call-rows.ts";
import type { CalledFunction } from "./calls/traced-process.ts";
import { type Job, type Outcome, outputLimit, requireProgram, requireSuccess, type Shell } from "./collector.ts";
import type { TracePlan } from "./trace-plan.ts";
import { staticProbesFor } from "./trace-static-probes.ts";
import { choiceOf, type Traced, type TraceTarget } from "./trace-target.ts";

/** Each probe takes about a millisecond to set and to remove. */
const mostProbes = 2000;

/** Memory for events on their way out of the kernel, in pages for each processor. */
const bufferPages = 2048;

/** Whether probes of the kernel can be set here, as far as can be told without setting one. */
export async function hasUprobes(shell: Shell): Promise<boolean> {
  return hindrance() === null && (await shell.which("bpftrace")) !== null;
}

/** The namespace of processes that the machine begins with: the kernel's numbers of processes are those of this one. */
const firstNamespace = "pid:[4026531836]";

/** What stands in the way, whatever program it is. */
function hindrance(): string | null {
  if (process.getuid?.() !== 0) return "only root may set probes of the kernel";
  if (!existsSync("/sys/kernel/btf/vmlinux")) return "this kernel does not describe its types (CONFIG_DEBUG_INFO_BTF)";
  if (readlinkSync("/proc/self/ns/pid") !== firstNamespace)
    return "a container has numbers of processes of its own, and bpftrace tells those of the machine";
  return null;
}

/**
 * Lets the kernel tell, by bpftrace, when functions of a program are entered and left; the program need not be built
 * for it.
 */
export async function traceByUprobes(target: TraceTarget, job: Job, shell: Shell, plan: TracePlan): Promise<Traced> {
  await requireTools(job, shell);
  await requireProgram(target.argv, job, shell);
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-uprobes-"));
  try {
    const { functions, probes, pairs, called } = await probed(target, job, shell, plan, folder);
    writeFileSync(join(folder, "script.bt"), probeScript(functions, probes, plan.limit));
    const outcome = await run(target, job, shell, plan, { folder, probes: 2 * functions.length + probes.length });
    if (outcome !== null && !plan.allowFailure) requireSuccess(outcome, job);
    const log = readLog(folder, new ProbeLog(pairs));
    requireAll(log, job, plan);
    const processes = log.processes().map(({ threads }) => ({ functions: called, threads }));
    if (processes.length === 0)
      throw untraceable(job, "none of the functions that are watched was called", "choose other functions");
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
  const reason = hindrance();
  if (reason !== null) throw untraceable(job, reason, "build it with -finstrument-functions, or use engine: callgrind");
}

function untraceable(job: Job, reason: string, instead: string): Failure {
  return new Failure("untraceable", { what: `'${`${job.cmd} ${job.workload}`.trim()}'`, reason, instead });
}

interface Probed {
  readonly functions: readonly ProbedFunction[];
  readonly probes: readonly StaticProbe[];
  readonly pairs: ReadonlyMap<number, number>;
  readonly called: ReadonlyMap<number, CalledFunction>;
}

/** What is to be probed. Paths are links in the scratch folder, for those of users may have any characters. */
async function probed(target: TraceTarget, job: Job, shell: Shell, plan: TracePlan, folder: string): Promise<Probed> {
  const called = new Map<number, CalledFunction>();
  const functions: ProbedFunction[] = [];
  const chosen = plan.others === null && plan.choices.length === 0 ? [] : choiceOf(target, plan);
  const links = new Map(
    target.files.map(({ path }, at) => [path, linkTo(path, join(folder, `file${at}`), job)] as const),
  );
  for (const [file, wanted] of chosen) {
    const symbols = symbolsByAddress(file.symbols);
    for (const [address, { every, argument }] of wanted) {
      const { name, prototype } = symbols.get(address)!;
      if (!isProbeName(name))
        throw untraceable(job, `bpftrace cannot read the name '${name.slice(0, 80)}'`, "choose functions by func");
      const id = called.size;
      called.set(id, { name, prototype, file: basename(file.path) });
      functions.push({ id, path: links.get(file.path)!, name, every, argument });
    }
  }
  const statics = await staticProbesFor(target, plan, job, shell, (path) => links.get(path)!, called.size);
  const all = functions.length + statics.probes.length;
  if (all === 0)
    throw untraceable(job, "no function of it is known", "name functions by func, or keep the program's symbols");
  if (all > mostProbes)
    throw untraceable(job, `it has ${all} functions, and ${mostProbes} can be probed`, "choose functions by func");
  return { functions, probes: statics.probes, pairs: statics.pairs, called: new Map([...called, ...statics.called]) };
}

function linkTo(path: string, link: string, job: Job): string {
  if (!isProbePath(link))
    throw untraceable(
      job,
      `bpftrace cannot read names such as '${tmpdir()}'`,
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
 * A shell script that we write starts bpftrace, waits until the probes are set, and runs the program, whose end is its
 * own.
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

/** Status of the script when bpftrace gave up. */
const notStarted = 125;

/**
 * Lines are written at once, for the first one says that all is ready. What shells start behind them does not hear
 * SIGINT. bpftrace forgets what it has not read when it is ended, so it is left to read until nothing comes.
 */
function startScript(folder: string, argv: readonly string[]): string {
  const [log, errors] = [quoted(join(folder, "log")), quoted(join(folder, "errors"))];
  return `bpftrace -q -B line ${quoted(join(folder, "script.bt"))} $$ >${log} 2>${errors} </dev/null &
tracer=$!
until [ -s ${log} ]; do kill -0 $tracer 2>/dev/null || exit ${notStarted}; sleep 0.02; done
${argv.map(quoted).join(" ")}
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

/** For a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Fails with `untraceable`, unless it was the program that ended with this status. */
function requireStarted(folder: string, job: Job): void {
  if (readFileSync(join(folder, "log")).length > 0) return;
  const told = readFileSync(join(folder, "errors"), "utf8").split("\n");
  const reason =
    told.find((line) => /^ERROR|error:/i.test(line) && !line.includes("RLIMIT_MEMLOCK")) ?? "it says nothing";
  throw untraceable(
    job,
    `bpftrace cannot set probes: ${reason.trim().slice(0, 200)}`,
    "use another engine, or see what bpftrace needs here",
  );
}

function readLog(folder: string, log: ProbeLog): ProbeLog {
  const piece = new Uint8Array(1 << 20);
  const descriptor = openSync(join(folder, "log"), "r");
  try {
    for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece))
      log.push(piece.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
  return log;
}

function requireAll(log: ProbeLog, job: Job, { limit }: TracePlan): void {
  const instead = "choose functions, sample them, or raise the collector's option limit";
  if (log.exceedsLimit) throw untraceable(job, `its functions are called more than ${limit} times`, instead);
  if (log.lost > 0) throw untraceable(job, `bpftrace lost ${log.lost} events`, "choose functions, or sample them");
}
