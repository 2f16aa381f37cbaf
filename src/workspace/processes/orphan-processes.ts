import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { sep } from "node:path";
import { fateOf, type ProcessIdentity } from "../../store/durable/process-identity.ts";

interface Seen {
  readonly pid: number;
  readonly group: number;
  readonly program: string;
  /** A letter of proc(5); Z and X: it has ended. */
  readonly state: string;
}

/** How long is waited for the killed to be gone: on a busy machine they do not end at once. */
const patience = { rounds: 400, milliseconds: 5 };

/**
 * What a program that runs in a worktree has in its environment, and so has what it starts: a kill may come before its
 * group is noted.
 */
export function strayMark(worktree: string): Record<string, string> {
  return { PERFKEEP_WORKTREE: worktree };
}

/**
 * Kills what a killed run left running in `worktree`, and waits until it is gone: the process groups it had noted by
 * their `leaders`, what carries the mark of the tree, and git or hg still filling it. Whoever else stands in the
 * folder, such as a user's shell, is left alone. Does nothing where there is no /proc to tell them apart.
 */
export function killStrays(worktree: string, leaders: readonly ProcessIdentity[]): void {
  const groups = new Map(leaders.map((leader) => [leader.pid, leader.start !== null && fateOf(leader) === "alive"]));
  const isStray = (seen: Seen): boolean =>
    isOfGroup(seen, groups, worktree) || isMarked(seen, worktree) || isVcsIn(seen, worktree);
  // What was looked at may start something meanwhile: only when nobody is found any more, nobody is left.
  for (let round = 0; round < patience.rounds; round++) {
    const strays = processes().filter(
      (seen) => seen.pid !== process.pid && !/^[ZX]$/.test(seen.state) && isStray(seen),
    );
    if (strays.length === 0) return;
    for (const { pid } of strays) kill(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience.milliseconds);
  }
}

/**
 * A group whose leader has gone may by now be somebody else's under the same number; the folder its members work in
 * tells.
 */
function isOfGroup({ pid, group }: Seen, groups: ReadonlyMap<number, boolean>, worktree: string): boolean {
  const isLed = groups.get(group);
  return isLed !== undefined && (isLed || standsIn(pid, worktree));
}

function isMarked({ pid }: Seen, worktree: string): boolean {
  const [[name, value] = []] = Object.entries(strayMark(worktree));
  return `\0${contentOf(`/proc/${pid}/environ`)}`.includes(`\0${name}=${value}\0`);
}

function isVcsIn({ pid, program }: Seen, worktree: string): boolean {
  return (program === "git" || program === "hg") && (standsIn(pid, worktree) || words(pid).includes(worktree));
}

function standsIn(pid: number, folder: string): boolean {
  try {
    const path = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, "");
    return path === folder || path.startsWith(folder + sep);
  } catch {
    return false;
  }
}

function words(pid: number): string[] {
  return contentOf(`/proc/${pid}/cmdline`).split("\0");
}

function processes(): Seen[] {
  return namesIn("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => seen(Number(name)));
}

/** Fields of /proc/PID/stat as in proc(5): the program's name in parentheses, the state, the parent, the group. */
function seen(pid: number): Seen {
  const stat = contentOf(`/proc/${pid}/stat`);
  const end = stat.lastIndexOf(")");
  const [state = "", , group] = stat.slice(end + 2).split(" ");
  return { pid, group: Number(group), program: stat.slice(stat.indexOf("(") + 1, end), state };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
