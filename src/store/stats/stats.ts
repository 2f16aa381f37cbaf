import { rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import { compareByCodePoint } from "../../formats/text/code-points.ts";
import { packJson, unpackJson } from "../../formats/store/compressed-json.ts";
import { removeDurably, writeDurably } from "../durable/durable-file.ts";
import { errnoOf, writing } from "../durable/file-failure.ts";
import { isTemporaryName } from "../durable/temporary-files.ts";
import type { StoreLock } from "../durable/lock.ts";
import { flawOf } from "../pending/pending.ts";
import { entriesOf, isFolder, readPlainFile, statOf } from "../durable/regular-file.ts";
import { isVersionId, readStatsIndex, writeStatsIndex, type DatedVersion } from "./stats-index.ts";

/** A file of statistics: a JSON object of objects, each under an id. */
export interface StatsFile {
  readonly name: string;
  /** Bytes on disk. */
  readonly size: number;
}

/** Ids and what is kept under them. */
export type StatsContent = ReadonlyMap<string, JsonObject>;

/** Knows when a version was committed, as the index tells it. */
export type DateOf = (version: VersionId) => Promise<string>;

/**
 * Statistics that are no profiles, by version and name: `stats/aa/<38 digits>/<name>`, as Perun keeps them. Links are
 * never followed, and no name leads out of the folder.
 */
export class Stats {
  readonly folder: string;
  readonly #lock: StoreLock;

  constructor(folder: string, lock: StoreLock) {
    this.folder = folder;
    this.#lock = lock;
  }

  /** Versions that have a folder, in no order. */
  versions(): VersionId[] {
    const shards = entriesOf(this.folder).filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name));
    return shards.flatMap(({ name }) =>
      entriesOf(join(this.folder, name))
        .filter((entry) => entry.isDirectory() && isVersionId(name + entry.name))
        .map((entry) => (name + entry.name) as VersionId),
    );
  }

  /** What the index says; versions that have no folder any more, and folders it does not know, may be wrong there. */
  dated(): DatedVersion[] {
    return readStatsIndex(this.folder);
  }

  /** The files of a version by name; none where it has no statistics. */
  files(version: VersionId): StatsFile[] {
    const folder = this.#folderOf(version);
    const names = this.#has(version)
      ? entriesOf(folder)
          .filter((entry) => entry.isFile() && !isTemporaryName(entry.name))
          .map((entry) => entry.name)
      : [];
    return names.toSorted(compareByCodePoint).map((name) => ({ name, size: statOf(join(folder, name))?.size ?? 0 }));
  }

  /** Null where there is no such file. Fails with `packed-json-damaged`, `bad-stats`, `bad-stats-name`. */
  read(version: VersionId, name: string): StatsContent | null {
    const path = this.#pathOf(version, name);
    const bytes = this.#has(version) ? readPlainFile(path) : null;
    return bytes === null ? null : contentOf(unpackJson(bytes, path), path);
  }

  /**
   * Puts an entry into a file, which is made where there is none; `merge` keeps the members of the entry that the new
   * one has not.
   */
  put(at: DatedVersion, name: string, id: string, entry: JsonObject, merge: boolean): void {
    this.#lock.hold(() => {
      const content = new Map(this.read(at.version, name));
      content.set(id, merge ? new Map([...(content.get(id) ?? []), ...entry]) : entry);
      writeDurably(this.#pathOf(at.version, name), [packJson(content)]);
      writeStatsIndex(this.folder, [...this.dated().filter(({ version }) => version !== at.version), at]);
    });
  }

  /**
   * Deletes files of a version and, unless `keepFolder`, its folder when nothing is left; answers the paths, relative
   * to the store.
   */
  delete(version: VersionId, names: readonly string[], keepFolder: boolean): string[] {
    return this.#lock.hold(() => {
      const removed = names.filter((name) => this.#has(version) && removeDurably(this.#pathOf(version, name)));
      if (!keepFolder && this.#dropEmpty(version)) this.#forgetGone();
      return removed.map((name) => `stats/${version.slice(0, 2)}/${version.slice(2)}/${name}`);
    });
  }

  /** Makes the index tell of the folders that are there. Answers what it tells. */
  async sync(dateOf: DateOf): Promise<DatedVersion[]> {
    const versions: DatedVersion[] = [];
    for (const version of this.versions()) versions.push({ version, date: await dateOf(version) });
    return this.#lock.hold(() => {
      const present = new Set(this.versions());
      writeStatsIndex(
        this.folder,
        versions.filter(({ version }) => present.has(version)),
      );
      return this.dated();
    });
  }

  /** Deletes what does not belong here, and versions without files; answers the paths, relative to the store. */
  clean(keep: { readonly foreign: boolean; readonly empty: boolean }): string[] {
    return this.#lock.hold(() => {
      const foreign = keep.foreign ? [] : this.#foreign();
      for (const path of foreign)
        writing(path, () => rmSync(join(this.folder, path), { recursive: true, force: true }));
      const empty = keep.empty ? [] : this.versions().filter((version) => this.#dropEmpty(version));
      this.#forgetGone();
      return [...foreign, ...empty.map((version) => `${version.slice(0, 2)}/${version.slice(2)}`)].map(
        (path) => `stats/${path}`,
      );
    });
  }

  #forgetGone(): void {
    const present = new Set(this.versions());
    const all = this.dated();
    const left = all.filter(({ version }) => present.has(version));
    if (left.length < all.length) writeStatsIndex(this.folder, left);
  }

  /** Whatever is neither the index nor a version's folder nor a file in one; paths relative to the folder. */
  #foreign(): string[] {
    const found: string[] = [];
    for (const shard of entriesOf(this.folder)) {
      if (shard.name === ".index" || isTemporaryName(shard.name)) continue;
      if (!shard.isDirectory() || !/^[0-9a-f]{2}$/.test(shard.name)) found.push(shard.name);
      else found.push(...this.#foreignIn(shard.name));
    }
    return found;
  }

  #foreignIn(shard: string): string[] {
    return entriesOf(join(this.folder, shard)).flatMap((entry) => {
      const path = `${shard}/${entry.name}`;
      if (!entry.isDirectory() || !isVersionId(shard + entry.name)) return [path];
      return entriesOf(join(this.folder, path))
        .filter((inner) => !inner.isFile())
        .map((inner) => `${path}/${inner.name}`);
    });
  }

  /** True when the version had a folder and it was empty. */
  #dropEmpty(version: VersionId): boolean {
    if (!this.#has(version) || !removedEmpty(this.#folderOf(version))) return false;
    removedEmpty(join(this.folder, version.slice(0, 2)));
    return true;
  }

  #has(version: VersionId): boolean {
    return (
      isFolder(this.folder) && isFolder(join(this.folder, version.slice(0, 2))) && isFolder(this.#folderOf(version))
    );
  }

  #pathOf(version: VersionId, name: string): string {
    const reason = name.startsWith(".") ? "it begins with a point" : flawOf(name);
    if (reason !== null) throw new Failure("bad-stats-name", { name: name.slice(0, 200), reason });
    return join(this.#folderOf(version), name);
  }

  #folderOf(version: VersionId): string {
    if (!isVersionId(version)) throw new Failure("unknown-revision", { revision: version });
    return join(this.folder, version.slice(0, 2), version.slice(2));
  }
}

function removedEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(error) ?? "")) return false;
    return writing(folder, () => {
      throw error;
    });
  }
}

function contentOf(json: unknown, file: string): StatsContent {
  const isContent = json instanceof Map && [...json.values()].every((entry) => isObject(entry));
  if (!isContent) throw new Failure("bad-stats", { file, reason: "it does not hold statistics" });
  return json as StatsContent;
}
