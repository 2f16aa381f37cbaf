import { createHash } from "node:crypto";
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { fateOf, ownIdentity, type Fate } from "./process-identity.ts";

/**
 * A temporary file that outlived its writer: `.tmp-<machine, boot and namespace>-<pid>-<start>-<counter>`; that of a
 * database may have a log beside it.
 */
const pattern = /^\.tmp-([0-9a-f]{8})-(\d{1,10})-(\d{1,20})-\d+(?:\.wal)?$/;

const dayMs = 86_400_000;

let counter = 0;

export function temporaryName(): string {
  const { pid, start } = ownIdentity();
  return `.tmp-${mark()}-${pid}-${start ?? 0}-${counter++}`;
}

export function isTemporaryName(name: string): boolean {
  return pattern.test(name);
}

/**
 * What became of the process that made the temporary file `name`; unknown for writers of another machine, container or
 * boot.
 */
export function fateOfWriter(name: string): Fate {
  const [, writer, pid, start] = pattern.exec(name) ?? [];
  if (writer !== mark()) return "unknown";
  return fateOf({ ...ownIdentity(), pid: Number(pid), start: start === "0" ? null : (start ?? null) });
}

/**
 * Deletes temporary files of dead writers in `folder` and returns their names. With `now` (ms since 1970 by the clock
 * of the file system) also those of unknown writers that are a day old: no write lasts that long, and the file was
 * never part of the store.
 */
export function sweepFolder(folder: string, now?: number): string[] {
  return temporaryFilesOf(folder).filter((name) => {
    const path = join(folder, name);
    const fate = fateOfWriter(name);
    return (fate === "dead" || (fate === "unknown" && isDayOld(path, now))) && removed(path);
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

/**
 * Sweeping is tidying: that it cannot be done (someone else did it, read-only store) is no reason to fail a command.
 */
function removed(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

let ownMark: string | undefined;

function mark(): string {
  const { host, machine, boot, namespace } = ownIdentity();
  ownMark ??= createHash("sha1")
    .update(JSON.stringify([host, machine, boot, namespace]))
    .digest("hex")
    .slice(0, 8);
  return ownMark;
}
