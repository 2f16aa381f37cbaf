import { join, relative } from "node:path";
import { sweepFolder } from "./leftovers.ts";
import type { StoreLock } from "./lock.ts";
import { entriesOf, statOf } from "./plain-file.ts";

/** What `sweep` did; paths relative to the store. */
export interface Swept {
  /** Temporary files that killed processes left. */
  readonly removed: readonly string[];
  /** The command that died holding the lock; null: it was free. */
  readonly unlocked: string | null;
}

/** Removes the temporary files and the lock of dead processes. What lives is left alone: this waits for it as every writer does. */
export function sweep(store: string, lock: StoreLock): Swept {
  const before = lock.holder();
  return lock.hold(() => {
    const now = statOf(lock.path)?.mtimeMs;
    const removed = foldersOf(store).flatMap((folder) => sweepFolder(folder, now).map((name) => relative(store, join(folder, name))));
    return { removed, unlocked: before?.fate === "dead" ? before.record.command : null };
  });
}

/** Every folder that the store writes into. */
export function foldersOf(store: string): string[] {
  const objects = join(store, "objects");
  const shards = entriesOf(objects).filter((entry) => entry.isDirectory());
  const others = ["jobs", "quarantine", "run"].map((name) => join(store, name));
  return [store, objects, ...shards.map((entry) => join(objects, entry.name)), ...others];
}
