import { join, relative } from "node:path";
import { sweepFolder } from "../durable/temporary-files.ts";
import type { StoreLock } from "../durable/lock.ts";
import { listFolder, lstatOrNull } from "../durable/regular-file.ts";

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

/** Every folder that the store writes into. */
export function foldersOf(store: string): string[] {
  const shards = ["objects", "stats"].map((name) => join(store, name));
  const members = shards.flatMap(foldersIn);
  const ofStats = foldersIn(join(store, "stats")).flatMap(foldersIn);
  const others = ["jobs", "quarantine", "run", "tmp"].map((name) => join(store, name));
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
