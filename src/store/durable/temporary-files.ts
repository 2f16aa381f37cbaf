import { createHash } from "node:crypto";
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { livenessOf, ownIdentity, type Liveness } from "./process-identity.ts";

/**
 * Names of temporary files: `.tmp-<machine, boot and namespace>-<pid>-<start>-<counter>`, or with `.wal` for the log of
 * a database.
 */
const temporaryNamePattern = /^\.tmp-([0-9a-f]{8})-(\d{1,10})-(\d{1,20})-\d+(?:\.wal)?$/;

const dayMs = 86_400_000;

let counter = 0;

export function temporaryName(): string {
  const { pid, start } = ownIdentity();
  return `.tmp-${writerId()}-${pid}-${start ?? 0}-${counter++}`;
}

export function isTemporaryName(name: string): boolean {
  return temporaryNamePattern.test(name);
}

/**
 * Whether the process that created the temporary file `name` is alive; unknown for other machines, containers and
 * boots.
 */
export function livenessOfWriter(name: string): Liveness {
  const [, writer, pid, start] = temporaryNamePattern.exec(name) ?? [];
  if (writer !== writerId()) return "unknown";
  return livenessOf({ ...ownIdentity(), pid: Number(pid), start: start === "0" ? null : (start ?? null) });
}

/**
 * Deletes temporary files of dead writers in `folder` and returns their names. With `now` (ms since 1970 by the clock
 * of the file system), also deletes files of unknown writers that are over a day old.
 */
export function sweepFolder(folder: string, now?: number): string[] {
  return temporaryFilesOf(folder).filter((name) => {
    const path = join(folder, name);
    const liveness = livenessOfWriter(name);
    return (liveness === "dead" || (liveness === "unknown" && isDayOld(path, now))) && tryUnlink(path);
  });
}

function temporaryFilesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isTemporaryName);
  } catch {
    return [];
  }
}

function isDayOld(path: string, now: number | undefined): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return now !== undefined && stat !== undefined && now - stat.mtimeMs > dayMs;
}

/** Ignores errors: another process may have removed the file, or the store may be read-only. */
function tryUnlink(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

let cachedWriterId: string | undefined;

function writerId(): string {
  const { host, machine, boot, namespace } = ownIdentity();
  cachedWriterId ??= createHash("sha1")
    .update(JSON.stringify([host, machine, boot, namespace]))
    .digest("hex")
    .slice(0, 8);
  return cachedWriterId;
}
