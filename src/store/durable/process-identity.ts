import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Identifies a process on a machine, to prove later that it has ended. null: unknown on this platform. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot (field 22 of /proc/PID/stat); distinguishes processes that reuse a pid. */
  readonly start: string | null;
  readonly boot: string | null;
  /** PID namespace: a pid is only valid within its container. */
  readonly namespace: string | null;
  readonly host: string;
  readonly machine: string | null;
}

/** dead: proven to have ended. unknown: on another machine or in another container. */
export type Liveness = "alive" | "dead" | "unknown";

let cachedIdentity: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  cachedIdentity ??= {
    pid: process.pid,
    start: processState("self")?.start ?? null,
    boot: firstLine("/proc/sys/kernel/random/boot_id"),
    namespace: linkTarget("/proc/self/ns/pid"),
    host: hostname(),
    machine: firstLine("/etc/machine-id"),
  };
  return cachedIdentity;
}

/** The identity of a process on this machine. Call it for a child before its exit can be missed. */
export function identityOf(pid: number): ProcessIdentity {
  return { ...ownIdentity(), pid, start: processState(String(pid))?.start ?? null };
}

export function livenessOf(other: ProcessIdentity): Liveness {
  const here = ownIdentity();
  if (other.host !== here.host || other.machine !== here.machine) return "unknown";
  if (other.boot !== here.boot) return other.boot === null || here.boot === null ? "unknown" : "dead";
  if (other.namespace !== here.namespace) return "unknown";
  return pidExists(other.pid) && isSameProcess(other) ? "alive" : "dead";
}

/** The identity in a record read from disk, or null if it is invalid. Ignores extra members. */
export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== "object" || value === null) return null;
  const { pid, start, boot, namespace, host, machine } = value as Record<string, unknown>;
  // kill(2) addresses process groups by 0 and negative numbers, so such a pid must be refused.
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

/** /proc may hide the processes of other users (hidepid): these count as alive. A zombie counts as ended. */
function isSameProcess(other: ProcessIdentity): boolean {
  const state = processState(String(other.pid));
  if (state === null) return true;
  return !state.ended && (other.start === null || state.start === other.start);
}

function processState(pid: string): { readonly start: string; readonly ended: boolean } | null {
  const stat = firstLine(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The second field is the program name in parentheses, which may contain blanks and parentheses.
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
