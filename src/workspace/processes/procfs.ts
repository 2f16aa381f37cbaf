import { livenessOf, type ProcessIdentity } from "../../store/durable/process-identity.ts";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { sep } from "node:path";

interface ProcessInfo {
  readonly pid: number;
  readonly group: number;
  readonly program: string;
  /** A letter of proc(5); Z and X: it has ended. */
  readonly state: string;
}

/** How long is waited for the killed to be gone: on a busy machine they do not end at once. */
const killTimeout = { rounds: 400, milliseconds: 5 };

/**
 * What a program that runs in a worktree has in its environment, and so has what it starts: a kill may come before its
 * group is noted.
 */
export function orphanMarker(worktree: string): Record<string, string> {
  return { PERFKEEP_WORKTREE: worktree };
}

/**
 * Kills what a killed run left running in `worktree`, and waits until it is gone: the process groups it had noted by
 * their `leaders`, what carries the mark of the tree, and git or hg still filling it. Whoever else stands in the
 * folder, such as a user's shell, is left alone. Does nothing where there is no /proc to tell them apart.
 */
export function killOrphans(worktree: string, leaders: readonly ProcessIdentity[]): void {
  const groups = new Map(leaders.map((leader) => [leader.pid, leader.start !== null && livenessOf(leader) === "alive"]));
  const isStray = (processInfo: ProcessInfo): boolean =>
    isInGroup(processInfo, groups, worktree) || isMarked(processInfo, worktree) || isVcsIn(processInfo, worktree);
  // What was looked at may start something meanwhile: only when nobody is found any more, nobody is left.
  for (let round = 0; round < killTimeout.rounds; round++) {
    const strays = processes().filter(
      (seen) => seen.pid !== process.pid && !/^[ZX]$/.test(seen.state) && isStray(seen),
    );
    if (strays.length === 0) return;
    for (const { pid } of strays) kill(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, killTimeout.milliseconds);
  }
}

/**
 * A group whose leader has gone may by now be somebody else's under the same number; the folder its members work in
 * tells.
 */
function isInGroup({ pid, group }: ProcessInfo, groups: ReadonlyMap<number, boolean>, worktree: string): boolean {
  const isLed = groups.get(group);
  return isLed !== undefined && (isLed || worksIn(pid, worktree));
}

function isMarked({ pid }: ProcessInfo, worktree: string): boolean {
  const [[name, value] = []] = Object.entries(orphanMarker(worktree));
  return `\0${readOrEmpty(`/proc/${pid}/environ`)}`.includes(`\0${name}=${value}\0`);
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
  return readOrEmpty(`/proc/${pid}/cmdline`).split("\0");
}

function processes(): ProcessInfo[] {
  return entryNames("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => seen(Number(name)));
}

/** Fields of /proc/PID/stat as in proc(5): the program's name in parentheses, the state, the parent, the group. */
function seen(pid: number): ProcessInfo {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
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
    // It has ended meanwhile.
  }
}

/** Length of the tick in which the kernel reports CPU time to programs. */
const ticksPerSecond = 100;

export interface Usage {
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly peakBytes: number;
}

/**
 * What a child took, seen from outside through /proc: CPU time by what this process has collected from ended children
 * before and after, the peak by looking at the child while it runs (often at first, then every 50 ms). NaN where there
 * is no /proc.
 */
export class ProcfsUsage {
  readonly #before = childTimes();
  readonly #pid: number;
  #peak = Number.NaN;
  #timer: NodeJS.Timeout | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#look(1);
  }

  /** Called when the child has ended. */
  end(): Usage {
    clearTimeout(this.#timer);
    const after = childTimes();
    return {
      userSeconds: after.user - this.#before.user,
      systemSeconds: after.system - this.#before.system,
      peakBytes: this.#peak,
    };
  }

  #look(pause: number): void {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readOrEmpty(`/proc/${this.#pid}/status`))?.[1];
    if (kibibytes !== undefined) this.#peak = Number(kibibytes) * 1024;
    this.#timer = setTimeout(() => this.#look(Math.min(pause * 2, 50)), pause);
  }
}

/**
 * CPU seconds of all children this process has waited for (fields 16 and 17 of proc(5) stat, after the name in
 * parentheses).
 */
function childTimes(): { user: number; system: number } {
  const stat = readOrEmpty("/proc/self/stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    user: Number(fields[13] ?? Number.NaN) / ticksPerSecond,
    system: Number(fields[14] ?? Number.NaN) / ticksPerSecond,
  };
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
