import { livenessOf, type ProcessIdentity } from "../../store/durable/index.ts";
import { readdirSync, readlinkSync } from "node:fs";
import { sep } from "node:path";
import { systemText } from "../files/index.ts";

interface ProcessInfo {
  readonly pid: number;
  readonly group: number;
  readonly program: string;
  /** State letter of proc(5); Z and X mean exited. */
  readonly state: string;
}

/** How long to wait for killed processes to exit; on a busy machine that takes a while. */
const killTimeout = { rounds: 400, milliseconds: 5 };

/**
 * Environment variable that marks programs run in a worktree, and everything they start: a kill may come before their
 * process group is recorded.
 */
export function orphanMarker(worktree: string): Record<string, string> {
  return { PERFKEEP_WORKTREE: worktree };
}

/**
 * Kills the processes that a killed run left in `worktree` and waits for their exit: recorded process groups
 * (`leaders`), processes that carry the marker of the tree, and git or hg still writing to it. Leaves other processes
 * in the folder alone, such as a user's shell. Does nothing without /proc.
 */
export function killOrphans(worktree: string, leaders: readonly ProcessIdentity[]): void {
  const groups = new Map(
    leaders.map((leader) => [leader.pid, leader.start !== null && livenessOf(leader) === "alive"]),
  );
  const isOrphan = (candidate: ProcessInfo): boolean =>
    isInGroup(candidate, groups, worktree) || isMarked(candidate, worktree) || isVcsIn(candidate, worktree);
  // Orphans may start processes meanwhile: done only when a scan finds none.
  for (let round = 0; round < killTimeout.rounds; round++) {
    const orphans = processes().filter(
      (candidate) => candidate.pid !== process.pid && !/^[ZX]$/.test(candidate.state) && isOrphan(candidate),
    );
    if (orphans.length === 0) return;
    for (const { pid } of orphans) kill(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, killTimeout.milliseconds);
  }
}

/** The number of a group whose leader has exited may have been reused; check the working directory of its members. */
function isInGroup({ pid, group }: ProcessInfo, groups: ReadonlyMap<number, boolean>, worktree: string): boolean {
  const isLed = groups.get(group);
  return isLed !== undefined && (isLed || worksIn(pid, worktree));
}

function isMarked({ pid }: ProcessInfo, worktree: string): boolean {
  const [[name, value] = []] = Object.entries(orphanMarker(worktree));
  return `\0${systemText(`/proc/${pid}/environ`)}`.includes(`\0${name}=${value}\0`);
}

function isVcsIn({ pid, program }: ProcessInfo, worktree: string): boolean {
  return (program === "git" || program === "hg") && (worksIn(pid, worktree) || argumentsOf(pid).includes(worktree));
}

function worksIn(pid: number, folder: string): boolean {
  try {
    const path = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, "");
    return path === folder || path.startsWith(folder + sep);
  } catch {
    return false;
  }
}

function argumentsOf(pid: number): string[] {
  return systemText(`/proc/${pid}/cmdline`).split("\0");
}

function processes(): ProcessInfo[] {
  return entryNames("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => seen(Number(name)));
}

/** Fields of /proc/PID/stat as in proc(5): program name in parentheses, state, parent, group. */
function seen(pid: number): ProcessInfo {
  const stat = systemText(`/proc/${pid}/stat`);
  const end = stat.lastIndexOf(")");
  const [state = "", , group] = stat.slice(end + 2).split(" ");
  return { pid, group: Number(group), program: stat.slice(stat.indexOf("(") + 1, end), state };
}

function entryNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already exited.
  }
}

/** Ticks per second of CPU times in /proc. */
const ticksPerSecond = 100;

export interface Usage {
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly peakBytes: number;
}

/**
 * Resource usage of a child, measured through /proc: CPU time from the times of reaped children before and after, peak
 * memory by polling the child (after 1 ms at first, then at most every 50 ms). NaN without /proc.
 */
export class ProcfsUsage {
  readonly #before = childTimes();
  readonly #pid: number;
  #peak = Number.NaN;
  #timer: NodeJS.Timeout | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#poll(1);
  }

  /** Call once the child has exited. */
  end(): Usage {
    clearTimeout(this.#timer);
    const after = childTimes();
    return {
      userSeconds: after.user - this.#before.user,
      systemSeconds: after.system - this.#before.system,
      peakBytes: this.#peak,
    };
  }

  #poll(pause: number): void {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(systemText(`/proc/${this.#pid}/status`))?.[1];
    if (kibibytes !== undefined) this.#peak = Number(kibibytes) * 1024;
    this.#timer = setTimeout(() => this.#poll(Math.min(pause * 2, 50)), pause);
  }
}

/** CPU seconds of all reaped children (fields 16 and 17 of proc(5) stat, counted after the name in parentheses). */
function childTimes(): { user: number; system: number } {
  const stat = systemText("/proc/self/stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    user: Number(fields[13] ?? Number.NaN) / ticksPerSecond,
    system: Number(fields[14] ?? Number.NaN) / ticksPerSecond,
  };
}
