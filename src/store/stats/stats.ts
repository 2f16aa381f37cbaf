import { rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { isObject, type JsonObject } from "../../core/values/index.ts";
import { compareByCodePoint } from "../../formats/text/index.ts";
import { packJson, unpackJson } from "../../formats/store/index.ts";
import {
  removeDurably,
  writeDurably,
  errnoOf,
  wrapWriteErrors,
  isTemporaryName,
  type StoreLock,
  listFolder,
  isFolder,
  readRegularFile,
  lstatOrNull,
} from "../durable/index.ts";
import { profileNameError } from "../pending/index.ts";
import { isVersionId, readStatsIndex, writeStatsIndex, type DatedVersion } from "./stats-index.ts";

/** A file of statistics: a JSON object that maps ids to objects. */
export interface StatsFile {
  readonly name: string;
  /** Bytes on disk. */
  readonly size: number;
}

/** The entries of a statistics file by id. */
export type StatsEntries = ReadonlyMap<string, JsonObject>;

/** Returns the commit date of a version in the format of the index. */
export type CommitDateOf = (version: VersionId) => Promise<string>;

/**
 * Statistics other than profiles, by version and name, in Perun's layout `stats/aa/<38 digits>/<name>`. Never follows
 * links, and refuses names that lead out of the folder.
 */
export class Stats {
  readonly folder: string;
  readonly #lock: StoreLock;

  constructor(folder: string, lock: StoreLock) {
    this.folder = folder;
    this.#lock = lock;
  }

  /** Versions that have a folder, unordered. */
  versions(): VersionId[] {
    const shards = listFolder(this.folder).filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name));
    return shards.flatMap(({ name }) =>
      listFolder(join(this.folder, name))
        .filter((entry) => entry.isDirectory() && isVersionId(name + entry.name))
        .map((entry) => (name + entry.name) as VersionId),
    );
  }

  /** The versions in the index that have a folder; a killed deletion can leave others. */
  indexed(): DatedVersion[] {
    return readStatsIndex(this.folder).filter(({ version }) => this.#has(version));
  }

  /** The files of a version, sorted by name; empty if it has no statistics. */
  files(version: VersionId): StatsFile[] {
    const folder = this.#folderOf(version);
    const names = this.#has(version)
      ? listFolder(folder)
          .filter((entry) => entry.isFile() && !isTemporaryName(entry.name))
          .map((entry) => entry.name)
      : [];
    return names
      .toSorted(compareByCodePoint)
      .map((name) => ({ name, size: lstatOrNull(join(folder, name))?.size ?? 0 }));
  }

  /** null if there is no such file. Fails with `packed-json-damaged`, `bad-stats`, `bad-stats-name`. */
  read(version: VersionId, name: string): StatsEntries | null {
    const path = this.#pathOf(version, name);
    const bytes = this.#has(version) ? readRegularFile(path) : null;
    return bytes === null ? null : statsEntriesOf(unpackJson(bytes, path), path);
  }

  /**
   * Writes an entry of a file, which is created if missing. `merge` keeps members of the old entry that the new one
   * lacks.
   */
  put(at: DatedVersion, name: string, id: string, entry: JsonObject, merge: boolean): void {
    this.#lock.hold(() => {
      const entries = new Map(this.read(at.version, name));
      entries.set(id, merge ? new Map([...(entries.get(id) ?? []), ...entry]) : entry);
      writeDurably(this.#pathOf(at.version, name), [packJson(entries)]);
      writeStatsIndex(this.folder, [...this.indexed().filter(({ version }) => version !== at.version), at]);
    });
  }

  /**
   * Deletes files of a version and, unless `keepFolder`, its folder if it is empty. Returns the removed paths, relative
   * to the store.
   */
  delete(version: VersionId, names: readonly string[], keepFolder: boolean): string[] {
    return this.#lock.hold(() => {
      const removed = names.filter((name) => this.#has(version) && removeDurably(this.#pathOf(version, name)));
      if (!keepFolder) this.#removeIfEmpty(version);
      // Also those that a killed deletion has left.
      if (!keepFolder) this.#dropStaleEntries();
      return removed.map((name) => `stats/${version.slice(0, 2)}/${version.slice(2)}/${name}`);
    });
  }

  /** Rebuilds the index from the folders and returns its entries. */
  async sync(dateOf: CommitDateOf): Promise<DatedVersion[]> {
    const versions: DatedVersion[] = [];
    for (const version of this.versions()) versions.push({ version, date: await dateOf(version) });
    return this.#lock.hold(() => {
      const present = new Set(this.versions());
      writeStatsIndex(
        this.folder,
        versions.filter(({ version }) => present.has(version)),
      );
      return this.indexed();
    });
  }

  /** Deletes foreign files and versions without files. Returns the removed paths, relative to the store. */
  clean(keep: { readonly foreign: boolean; readonly empty: boolean }): string[] {
    return this.#lock.hold(() => {
      const foreign = keep.foreign ? [] : this.#foreign();
      for (const path of foreign)
        wrapWriteErrors(path, () => rmSync(join(this.folder, path), { recursive: true, force: true }));
      const empty = keep.empty ? [] : this.versions().filter((version) => this.#removeIfEmpty(version));
      this.#dropStaleEntries();
      return [...foreign, ...empty.map((version) => `${version.slice(0, 2)}/${version.slice(2)}`)].map(
        (path) => `stats/${path}`,
      );
    });
  }

  #dropStaleEntries(): void {
    const present = new Set(this.versions());
    const all = readStatsIndex(this.folder);
    const left = all.filter(({ version }) => present.has(version));
    if (left.length < all.length) writeStatsIndex(this.folder, left);
  }

  /** Entries that are neither the index, nor a version's folder, nor a file in one; relative to the folder. */
  #foreign(): string[] {
    const foreign: string[] = [];
    for (const shard of listFolder(this.folder)) {
      if (shard.name === ".index" || isTemporaryName(shard.name)) continue;
      if (!shard.isDirectory() || !/^[0-9a-f]{2}$/.test(shard.name)) foreign.push(shard.name);
      else foreign.push(...this.#foreignIn(shard.name));
    }
    return foreign;
  }

  #foreignIn(shard: string): string[] {
    return listFolder(join(this.folder, shard)).flatMap((entry) => {
      const path = `${shard}/${entry.name}`;
      if (!entry.isDirectory() || !isVersionId(shard + entry.name)) return [path];
      return listFolder(join(this.folder, path))
        .filter((inner) => !inner.isFile())
        .map((inner) => `${path}/${inner.name}`);
    });
  }

  /** Returns true if the version had an empty folder. */
  #removeIfEmpty(version: VersionId): boolean {
    if (!this.#has(version) || !removeIfEmpty(this.#folderOf(version))) return false;
    removeIfEmpty(join(this.folder, version.slice(0, 2)));
    return true;
  }

  #has(version: VersionId): boolean {
    return (
      isFolder(this.folder) && isFolder(join(this.folder, version.slice(0, 2))) && isFolder(this.#folderOf(version))
    );
  }

  #pathOf(version: VersionId, name: string): string {
    const reason = name.startsWith(".") ? "it begins with a dot" : profileNameError(name);
    if (reason !== null) throw new Failure("bad-stats-name", { name: name.slice(0, 200), reason });
    return join(this.#folderOf(version), name);
  }

  #folderOf(version: VersionId): string {
    if (!isVersionId(version)) throw new Failure("unknown-revision", { revision: version });
    return join(this.folder, version.slice(0, 2), version.slice(2));
  }
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(error) ?? "")) return false;
    return wrapWriteErrors(folder, () => {
      throw error;
    });
  }
}

function statsEntriesOf(json: unknown, file: string): StatsEntries {
  const isValid = json instanceof Map && [...json.values()].every((entry) => isObject(entry));
  if (!isValid) throw new Failure("bad-stats", { file, reason: "it does not contain statistics" });
  return json as StatsEntries;
}
