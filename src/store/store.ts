import { existsSync } from "node:fs";
import { join } from "node:path";
import type { VersionId } from "../core/versions/index.ts";
import { StoredChanges, VersionIndexes } from "./index/index.ts";
import { makeFolder, writeDurably, StoreLock } from "./durable/index.ts";
import { fsck, type FsckReport, sweep, type Swept } from "./fsck/index.ts";
import { Objects, membersOf, namesInShard, type Member, type StoredNames } from "./objects/index.ts";
import type { PackedProfiles, PackOptions, PackProgress, UnpackedProfiles } from "./packs/index.ts";
import { Pending } from "./pending/index.ts";
import { Stats, Temp } from "./stats/index.ts";

/** The folders of a store, as in Perun. */
const folders = ["objects", "jobs", "logs", "cache", "stats", "tmp"] as const;

/** Marks stores created by perfkeep: their indexes carry a trailing checksum, which Perun's own insert would drop. */
const formatMark = "format";

/** One `.perun` directory. */
export interface Store {
  readonly path: string;
  /** Whether perfkeep created it. Perun also writes to stores it created. */
  createdByPerfkeep(): boolean;
  readonly lock: StoreLock;
  readonly objects: Objects;
  readonly versions: VersionIndexes;
  readonly pending: Pending;
  readonly changes: StoredChanges;
  readonly stats: Stats;
  readonly temp: Temp;
  /**
   * The names in the shard of a version, from one directory read; cheaper than one lookup per version of a long
   * history.
   */
  namesInShard(version: VersionId): StoredNames;
  /** All objects, indexes and their companion files, unordered. */
  members(): readonly Member[];
  /** Verifies every file; writes nothing. */
  fsck(): Promise<FsckReport>;
  /** Moves registered profiles into packs, except those of the versions to keep. */
  pack(options: Omit<PackOptions, "command">): Promise<PackedProfiles>;
  /** Moves all packed profiles back into files of their own. */
  unpack(progress?: PackProgress): Promise<UnpackedProfiles>;
  /** Removes temporary files and the lock of killed processes. */
  sweep(): Swept;
}

/** Creates the missing folders of a store at `path`. A store created by Perun stays marked as Perun's. */
export function createStore(path: string): void {
  const isNew = !existsSync(join(path, "objects"));
  for (const folder of folders) makeFolder(join(path, folder));
  if (isNew) writeDurably(join(path, formatMark), [new TextEncoder().encode("perfkeep 1\n")]);
}

/**
 * Opens the store at `path` without writing, so that read-only or incomplete stores can be read. `command` is shown to
 * processes that wait for the lock.
 */
export function openStore(path: string, options: { readonly command: string }): Store {
  const lock = new StoreLock(join(path, "lock"), options.command);
  const createdByPerfkeep = (): boolean => existsSync(join(path, formatMark));
  const objects = new Objects(join(path, "objects"), join(path, "quarantine"));
  const versions = new VersionIndexes(objects, lock, createdByPerfkeep);
  const pending = new Pending(join(path, "jobs"));
  const stats = new Stats(join(path, "stats"), lock);
  return {
    path,
    createdByPerfkeep: createdByPerfkeep,
    lock,
    objects,
    versions,
    pending,
    changes: new StoredChanges(objects.folder, lock),
    stats,
    temp: new Temp(join(path, "tmp"), lock),
    namesInShard: (version) => namesInShard(objects.folder, version),
    members: () => membersOf(objects.folder).members,
    fsck: () => fsck({ path, lock, objects, versions, pending, stats }),
    async pack(how) {
      const { packProfiles } = await import("./packs/pack-profiles.ts");
      return packProfiles({ objects, versions }, { ...how, command: options.command });
    },
    async unpack(progress) {
      const { unpackProfiles } = await import("./packs/unpack-profiles.ts");
      return unpackProfiles({ objects, versions }, options.command, progress);
    },
    sweep: () => sweep(path, lock),
  };
}
