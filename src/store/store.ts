import { existsSync } from "node:fs";
import { join } from "node:path";
import type { VersionId } from "../core/versions/digest.ts";
import { StoredChanges } from "./index/version-changes.ts";
import { makeFolder, writeDurably } from "./durable/durable-file.ts";
import { fsck } from "./fsck/fsck.ts";
import type { FsckReport } from "./fsck/fsck-report.ts";
import { StoreLock } from "./durable/lock.ts";
import { Objects } from "./objects/objects.ts";
import { Pending } from "./pending/pending.ts";
import { membersOf, namesBeside, type Member, type StoredNames } from "./objects/object-paths.ts";
import { Stats } from "./stats/stats.ts";
import { sweep, type Swept } from "./fsck/sweep.ts";
import { Temp } from "./stats/temp.ts";
import { VersionIndexes } from "./index/version-index.ts";

/** The folders of a store, Perun's. */
const folders = ["objects", "jobs", "logs", "cache", "stats", "tmp"] as const;

/**
 * Stands in stores that perfkeep made: their indexes carry the trailing checksum, which Perun's own insert would not
 * keep.
 */
const formatMark = "format";

/** One `.perun` directory. */
export interface Store {
  readonly path: string;
  /** Whether perfkeep made it; one that Perun made is written by Perun, too. */
  isOurs(): boolean;
  readonly lock: StoreLock;
  readonly objects: Objects;
  readonly versions: VersionIndexes;
  readonly pending: Pending;
  readonly changes: StoredChanges;
  readonly stats: Stats;
  readonly temp: Temp;
  /** What the shard of a version holds, by one reading, so that a long history need not ask for each version. */
  namesBeside(version: VersionId): StoredNames;
  /** All objects, indexes and what stands beside them, in no order: for questions about everything. */
  members(): readonly Member[];
  /** Verifies everything; writes nothing. */
  fsck(): Promise<FsckReport>;
  /** Removes what killed processes left. */
  sweep(): Swept;
}

/** Makes the folders of a store at `path`; those that are there stay. A store that Perun made stays Perun's. */
export function createStore(path: string): void {
  const isNew = !existsSync(join(path, "objects"));
  for (const folder of folders) makeFolder(join(path, folder));
  if (isNew) writeDurably(join(path, formatMark), [new TextEncoder().encode("perfkeep 1\n")]);
}

/**
 * Opens the store at `path`. Touches nothing: a store that is read-only, or lacks folders, can be read. `command`:
 * shown to those who wait for our lock.
 */
export function openStore(path: string, options: { readonly command: string }): Store {
  const lock = new StoreLock(join(path, "lock"), options.command);
  const isOurs = (): boolean => existsSync(join(path, formatMark));
  const objects = new Objects(join(path, "objects"), join(path, "quarantine"));
  const versions = new VersionIndexes(objects, lock, isOurs);
  const pending = new Pending(join(path, "jobs"));
  const stats = new Stats(join(path, "stats"), lock);
  return {
    path,
    isOurs,
    lock,
    objects,
    versions,
    pending,
    changes: new StoredChanges(objects.folder, lock),
    stats,
    temp: new Temp(join(path, "tmp"), lock),
    namesBeside: (version) => namesBeside(objects.folder, version),
    members: () => membersOf(objects.folder).members,
    fsck: () => fsck({ path, lock, objects, versions, pending, stats }),
    sweep: () => sweep(path, lock),
  };
}
