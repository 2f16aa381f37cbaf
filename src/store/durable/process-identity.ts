import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Which process on which machine: enough to prove later that it no longer exists. null: this platform does not tell.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * Start of the process in clock ticks since boot (field 22 of /proc/PID/stat): tells a process from a later one with
   * its pid.
   */
  readonly start: string | null;
  readonly boot: string | null;
  /** Process namespace: a pid means nothing in another container, even on the same machine. */
  readonly namespace: string | null;
  readonly host: string;
  readonly machine: string | null;
}

/** dead: proven gone. unknown: lives elsewhere (other machine or container), so nothing can be proven. */
export type Fate = "alive" | "dead" | "unknown";

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    start: processState("self")?.start ?? null,
    boot: firstLine("/proc/sys/kernel/random/boot_id"),
    namespace: linkTarget("/proc/self/ns/pid"),
    host: hostname(),
    machine: firstLine("/etc/machine-id"),
  };
  return own;
}

/** The identity of a process on this machine: of a child, before it can have ended unseen. */
export function identityOf(pid: number): ProcessIdentity {
  return { ...ownIdentity(), pid, start: processState(String(pid))?.start ?? null };
}

export function fateOf(other: ProcessIdentity): Fate {
  const here = ownIdentity();
  if (other.host !== here.host || other.machine !== here.machine) return "unknown";
  if (other.boot !== here.boot) return other.boot === null || here.boot === null ? "unknown" : "dead";
  if (other.namespace !== here.namespace) return "unknown";
  return pidExists(other.pid) && isSameProcess(other) ? "alive" : "dead";
}

/** The identity in a record read from disk, or null when it is not one; extra members are left aside. */
export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== "object" || value === null) return null;
  const { pid, start, boot, namespace, host, machine } = value as Record<string, unknown>;
  // kill(2) takes 0 and negative numbers for whole groups, so such a pid must never get through.
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0 || pid > 2 ** 31 - 1) return null;
  if (typeof host !== "string" || !isText(start) || !isText(boot) || !isText(namespace) || !isText(machine))
    return null;
  return { pid, start, boot, namespace, host, machine };
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * /proc may hide the processes of others (hidepid): what cannot be seen counts as alive. A zombie will never write
 * again.
 */
function isSameProcess(other: ProcessIdentity): boolean {
  const seen = processState(String(other.pid));
  if (seen === null) return true;
  return !seen.ended && (other.start === null || seen.start === other.start);
}

function processState(pid: string): { readonly start: string; readonly ended: boolean } | null {
  const stat = firstLine(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The second field is the program's name in parentheses and may hold blanks and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { start: fields[19] ?? "", ended: fields[0] === "Z" || fields[0] === "X" };
}

function firstLine(path: string): string | null {
  try {
    return readFileSync(path, "utf8").split("\n", 1)[0]?.trim() || null;
  } catch {
    return null;
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
