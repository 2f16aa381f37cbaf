import { join, relative } from "node:path";
import {
  type StoreLock,
  listFolder,
  lstatOrNull,
  sweepFolder,
  livenessOfWriter,
  isTemporaryName,
} from "../durable/index.ts";
import type { FsckFindings } from "./fsck-report.ts";

/** Results of `sweep`; paths are relative to the store. */
export interface Swept {
  /** Temporary files of killed processes. */
  readonly removed: readonly string[];
  /** The command that died holding the lock; null if it was free. */
  readonly unlocked: string | null;
}

/** Removes the temporary files and the lock of dead processes. Waits for living ones like every writer. */
export function sweep(store: string, lock: StoreLock): Swept {
  const before = lock.holder();
  return lock.hold(() => {
    const now = lstatOrNull(lock.path)?.mtimeMs;
    const removed = foldersOf(store).flatMap((folder) =>
      sweepFolder(folder, now).map((name) => relative(store, join(folder, name))),
    );
    return { removed, unlocked: before?.liveness === "dead" ? before.record.command : null };
  });
}

/** Notes who holds the lock, or died holding it. */
export function noteLock(lock: StoreLock, findings: FsckFindings): void {
  const holder = findings.attempt({ path: "lock" }, () => lock.holder());
  if (holder === null) return;
  const { owner, command } = holder.record;
  const about = `process ${owner.pid} on ${owner.host} (${command})`;
  if (holder.liveness === "dead")
    findings.notes.push({
      code: "dead-lock",
      path: "lock",
      message: `${about} died holding the lock; the next writer inherits it`,
    });
  else findings.notes.push({ code: "lock-held", path: "lock", message: `${about} holds the lock` });
}

/** Notes the temporary files of killed processes. */
export function noteLeftovers(store: string, findings: FsckFindings): void {
  for (const folder of foldersOf(store)) {
    const names =
      findings.attempt({ path: relative(store, folder) }, () => listFolder(folder).map((entry) => entry.name)) ?? [];
    for (const name of names.filter((each) => isTemporaryName(each) && livenessOfWriter(each) !== "alive")) {
      const path = relative(store, join(folder, name));
      findings.notes.push({
        code: "leftover-file",
        path,
        message: `${path} was left by a killed process; perfkeep recover removes it`,
      });
    }
  }
}

/** Every folder that the store writes into. */
function foldersOf(store: string): string[] {
  const shards = ["objects", "stats"].map((name) => join(store, name));
  const members = shards.flatMap(foldersIn);
  const ofStats = foldersIn(join(store, "stats")).flatMap(foldersIn);
  const others = ["jobs", "packs", "quarantine", "run", "tmp"].map((name) => join(store, name));
  const share = join(store, "share");
  // Except for the git repository, which git cleans up itself.
  const ofShare = foldersIn(share).filter((folder) => !folder.endsWith("git"));
  return [store, ...shards, ...members, ...ofStats, ...others, share, ...ofShare];
}

function foldersIn(folder: string): string[] {
  return listFolder(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}
