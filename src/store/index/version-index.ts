import { isDeepStrictEqual } from "node:util";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { checkIndexSum, encodeIndexSum } from "../../formats/store/index-checksum.ts";
import { readProfileHeader } from "../../formats/profile/profile-header.ts";
import {
  compareEntries,
  decodeIndex,
  encodeIndex,
  isIndex,
  type DecodedIndex,
  type IndexEntry,
  type IndexEntryV1,
} from "../../formats/store/version-index.ts";
import { linkDurably, writeIntoShard } from "../durable/durable-file.ts";
import type { StoreLock } from "../durable/lock.ts";
import type { Objects } from "../objects/objects.ts";
import { checkedName } from "../pending/pending.ts";
import { readBeginning, readPlainFile } from "../durable/regular-file.ts";
import { memberPath, readablePath } from "../objects/object-paths.ts";

/**
 * An index as it stands on disk. `checksum` tells what protects it: its trailer or the file beside it; stale: Perun
 * wrote since.
 */
export interface IndexFile {
  readonly formatVersion: 1 | 2;
  readonly entries: readonly (IndexEntry | IndexEntryV1)[];
  readonly trailer: DecodedIndex["trailer"];
  readonly checksum: "valid" | "stale" | "absent";
}

/**
 * Which profiles belong to which version. Reading writes nothing and needs no lock, for every index is replaced in one
 * step.
 */
export class VersionIndexes {
  readonly #folder: string;
  readonly #objects: Objects;
  readonly #lock: StoreLock;
  readonly #isOurs: () => boolean;

  /** `isOurs`: whether perfkeep made the store; Perun's own must stay writable by it, so its indexes get no trailer. */
  constructor(objects: Objects, lock: StoreLock, isOurs: () => boolean) {
    this.#folder = objects.folder;
    this.#objects = objects;
    this.#lock = lock;
    this.#isOurs = isOurs;
  }

  /** In index order: by name, then time; none for a version without index. Fails with `index-damaged`. */
  entries(version: VersionId): IndexEntry[] {
    return (this.file(version)?.entries ?? []).map((entry) => this.#completed(entry));
  }

  /** Whether what stands under `id` is an index, and no object: they share one name space. */
  isIndexed(id: VersionId): boolean {
    const path = readablePath(this.#folder, id);
    return path !== null && isIndex(readBeginning(path, 4));
  }

  /** The index of `version`, or null when it has none. Fails with `index-damaged`. */
  file(version: VersionId): IndexFile | null {
    const path = readablePath(this.#folder, version);
    const bytes = path === null ? null : readPlainFile(path);
    if (path === null || bytes === null) return null;
    const { formatVersion, entries, trailer } = decoded(bytes, version);
    return {
      formatVersion,
      entries,
      trailer,
      checksum: trailer === "absent" && formatVersion === 2 ? sumState(path, bytes, version) : trailer,
    };
  }

  /**
   * Adds entries; durable once it returns what became of each, in order. The same name with the same object is
   * `present` and changes nothing. The same name with another object becomes one more entry: Perun lists such profiles
   * side by side when their times differ, and drops the later one when they do not, which would lose a measurement.
   * Fails with `bad-profile-name`.
   */
  add(version: VersionId, added: readonly IndexEntry[]): ("added" | "present")[] {
    for (const { name } of added) checkedName(name);
    return this.#lock.hold(() => {
      const entries = this.entries(version);
      const states = added.map((entry) => {
        if (entries.some((known) => known.name === entry.name && known.digest === entry.digest)) return "present";
        entries.push(entry);
        return "added";
      });
      if (states.includes("added")) this.#write(version, entries);
      return states;
    });
  }

  /**
   * Removes every entry that `isMeant`; their objects stay. Fails with `not-registered` (of `name`) when there is none,
   * changing nothing.
   */
  remove(version: VersionId, isMeant: (entry: IndexEntry) => boolean, name = "the profile"): IndexEntry[] {
    return this.#lock.hold(() => {
      const entries = this.entries(version);
      const removed = entries.filter(isMeant);
      if (removed.length === 0) throw new Failure("not-registered", { name, version });
      this.#write(
        version,
        entries.filter((entry) => !removed.includes(entry)),
      );
      return removed;
    });
  }

  /** Makes `entries` the index of `version`; writes nothing when they are it. */
  replace(version: VersionId, entries: readonly IndexEntry[]): void {
    for (const { name } of entries) checkedName(name);
    this.#lock.hold(() => {
      const former = this.file(version);
      const sorted = entries.toSorted(compareEntries);
      if (former === null || former.formatVersion === 1 || !isDeepStrictEqual(former.entries, sorted))
        this.#write(version, sorted);
    });
  }

  /**
   * The former generation stays beside the new one under `.prev`. A kill before the last step leaves a stale sum, which
   * explains itself.
   */
  #write(version: VersionId, entries: readonly IndexEntry[]): void {
    const path = memberPath(this.#folder, version);
    const former = this.file(version);
    const trailer = former === null || former.trailer === "absent" ? this.#isOurs() : true;
    const bytes = encodeIndex(entries, { trailer });
    if (former !== null) linkDurably(path, `${path}.prev`);
    writeIntoShard(this.#folder, path, [bytes]);
    if (!trailer) writeIntoShard(this.#folder, `${path}.sum`, [encodeIndexSum(bytes)]);
  }

  /** Entries of version 1 say less; their objects know the rest. */
  #completed(entry: IndexEntry | IndexEntryV1): IndexEntry {
    if ("type" in entry) return entry;
    const { type, cmd, workload, collector, postprocessors } = readProfileHeader(
      this.#objects.get(entry.digest).body,
      entry.name,
    );
    return { ...entry, type, cmd, workload, collector, postprocessors };
  }
}

function decoded(bytes: Uint8Array, version: VersionId): DecodedIndex {
  try {
    return decodeIndex(bytes);
  } catch (error) {
    if (!isFailure(error, "index-damaged")) throw error;
    throw new Failure("index-damaged", { ...error.data, version });
  }
}

function sumState(path: string, bytes: Uint8Array, version: VersionId): IndexFile["checksum"] {
  const sum = readPlainFile(`${path}.sum`);
  if (sum === null) return "absent";
  const state = checkIndexSum(sum, bytes);
  if (state === "damaged")
    throw new Failure("index-damaged", { version, reason: "its content differs from the checksum beside it" });
  return state;
}
