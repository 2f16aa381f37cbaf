import { splitCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Subject } from "../../formats/profile/index.ts";
import {
  decodeAllocationLog,
  type AllocationLog,
  type LoadedModule,
  type LoggedStack,
  isSystemLibrary,
  relativeSource,
  unreachable,
  type Frame,
} from "../../formats/traces/index.ts";
import { requireSuccess, type Job, type Outcome, type Shell } from "./collector.ts";
import { type RunPlan, limitsOf } from "./run-plan.ts";
import { subjectsOf, type RowRules } from "./memory-rows.ts";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Addresses per addr2line process. */
const batch = 4000;

const outputCapacity = 64 << 20;

const unknownFrame: Frame = { function: "?", source: unreachable, line: 0 };

/**
 * The frames of stacks, innermost first, including inlined calls. Queries addr2line once per distinct address of a
 * file; frames it cannot resolve are `unreachable`.
 */
async function framesOf(
  stacks: Iterable<LoggedStack>,
  shell: Shell,
  directory: string,
): Promise<Map<LoggedStack, readonly Frame[]>> {
  const framesByPath = new Map<string, Map<bigint, readonly Frame[]>>();
  const locations = new Map(
    [...stacks].map((stack) => [stack, stack.addresses.map((address) => locationOf(address, stack.modules))] as const),
  );
  for (const { path, offset } of [...locations.values()].flat()) {
    const offsets = framesByPath.get(path) ?? new Map<bigint, readonly Frame[]>();
    framesByPath.set(path, offsets.set(offset, [unknownFrame]));
  }
  for (const [path, offsets] of framesByPath) if (path.includes("/")) await resolve(path, offsets, shell, directory);
  const framesAt = ({ path, offset }: Location): readonly Frame[] =>
    framesByPath.get(path)?.get(offset) ?? [unknownFrame];
  return new Map([...locations].map(([stack, all]) => [stack, all.flatMap(framesAt)]));
}

interface Location {
  readonly path: string;
  readonly offset: bigint;
}

function locationOf(address: bigint, modules: readonly LoadedModule[]): Location {
  const module = modules.find(({ lowest, highest }) => address >= lowest && address < highest);
  return module === undefined ? { path: "", offset: address } : { path: module.path, offset: address - module.bias };
}

async function resolve(
  path: string,
  offsets: Map<bigint, readonly Frame[]>,
  shell: Shell,
  directory: string,
): Promise<void> {
  const all = [...offsets.keys()];
  for (let start = 0; start < all.length; start += batch) {
    const chunk = all.slice(start, start + batch);
    const input = new TextEncoder().encode(chunk.map((offset) => `0x${offset.toString(16)}\n`).join(""));
    const outcome = await shell.run(["addr2line", "-a", "-i", "-f", "-C", "-e", path], {
      directory,
      input,
      captureLimit: outputCapacity,
    });
    const text = outcome.status === 0 ? new TextDecoder().decode(outcome.stdout) : "";
    for (const [offset, frames] of readAddresses(text, directory))
      offsets.set(offset, isSystemLibrary(path) ? frames.map(withoutSource) : frames);
  }
}

function withoutSource(frame: Frame): Frame {
  return { function: frame.function, source: unreachable, line: 0 };
}

/** Parses addr2line: each address is followed by function and location of its frames, innermost first. */
function* readAddresses(text: string, directory: string): Generator<[bigint, readonly Frame[]]> {
  const lines = text.split("\n");
  for (let at = 0; at < lines.length - 1;) {
    const address = lines[at++] ?? "";
    if (!/^0x[0-9a-f]{1,16}$/.test(address)) throw new Failure("untraceable", unreadable(address));
    const frames: Frame[] = [];
    for (; at + 1 < lines.length && !lines[at]!.startsWith("0x"); at += 2)
      frames.push(frameOf(lines[at]!, lines[at + 1]!, directory));
    yield [BigInt(address), frames];
  }
}

function unreadable(line: string): Readonly<Record<string, string>> {
  const reason = `unexpected output of addr2line: '${line.slice(0, 80)}'`;
  return { what: "the program", reason, instead: "install the addr2line of GNU binutils" };
}

function frameOf(name: string, location: string, directory: string): Frame {
  const [, path = "??", line = "0"] = /^(.*):(\d+|\?)(?: \(discriminator \d+\))?$/.exec(location) ?? [];
  const functionName = name === "??" ? "?" : name;
  if (path === "??") return { function: functionName, source: unreachable, line: 0 };
  return { function: functionName, source: relativeSource(directory, path), line: line === "?" ? 0 : Number(line) };
}

/** Source of the preloaded library. */
export const library = "allocations.c";

/** Limit of rows, which are kept in memory. */
export const maxRecords = 20_000_000;

export interface TracePlan extends RowRules, Pick<RunPlan, "timeout" | "allowFailure"> {
  readonly limit: number;
}

/** Outcome of a program and the rows measured. */
export interface Measured {
  readonly outcome: Outcome;
  readonly subjects: readonly Subject[];
}

/**
 * Runs the command with the preloaded library, which writes one log per process to `folder`. Fails with `untraceable`,
 * `command-failed`.
 */
export async function measureWithPreload(
  job: Job,
  shell: Shell,
  plan: TracePlan,
  folder: string,
  progress: (done: number) => void,
): Promise<Measured> {
  const outcome = await trace(job, shell, plan, folder);
  progress(0.5);
  if (!plan.allowFailure) requireSuccess(outcome, job);
  const logs = logsIn(folder, outcome, job, plan);
  const frames = await framesOf(
    logs.flatMap((log) => log.stacks),
    shell,
    job.directory,
  );
  const subjects = subjectsOf(logs, frames, plan);
  progress(1);
  return { outcome, subjects };
}

async function trace(job: Job, shell: Shell, plan: TracePlan, folder: string): Promise<Outcome> {
  return shell.run(splitCommand(`${job.cmd} ${job.workload}`), {
    ...limitsOf(plan, job),
    preload: await shell.library(library),
    environment: { PERFKEEP_ALLOCATIONS: folder, PERFKEEP_ALLOCATIONS_LIMIT: String(plan.limit) },
  });
}

/** Logs of all processes of the command, by start time. Fails with `untraceable`. */
function logsIn(folder: string, outcome: Outcome, job: Job, plan: TracePlan): AllocationLog[] {
  const all = readdirSync(folder).map((name) => decodeAllocationLog(readFileSync(join(folder, name))));
  // A launcher is the session leader; the program never is.
  const isLaunched = outcome.clock === "wait4" || outcome.clock === "perl-wait4";
  const logs = all.filter(({ process, session, stopped }) => stopped === "disk" || !isLaunched || process !== session);
  const what = `'${`${job.cmd} ${job.workload}`.trim()}'`;
  if (logs.length === 0) throw new Failure("untraceable", { what, ...notLoaded });
  const stopped = logs.find((log) => log.stopped !== null)?.stopped;
  if (stopped === "limit")
    throw new Failure("untraceable", {
      what,
      reason: `it allocates and frees more than ${plan.limit} times`,
      instead: `measure a smaller workload, or raise the collector's option limit (to ${maxRecords} at most)`,
    });
  if (stopped === "disk")
    throw new Failure("untraceable", {
      what,
      reason: `no space left in ${tmpdir()}`,
      instead: "free disk space, or set TMPDIR",
    });
  return logs.toSorted((a, b) => Number(a.started - b.started));
}

const notLoaded = {
  reason: "it did not load the tracing library",
  instead: "link it dynamically, for this machine's architecture, and without setuid",
};
