import type { VersionId } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { isObject, type Json } from "../../core/values/json.ts";
import { printIndented, readJson } from "../../formats/json/json.ts";
import type { CommitDateOf, Stats, StatsFile } from "../../store/stats/stats.ts";
import { newestFirst } from "../../store/stats/stats-index.ts";
import { localTime } from "../../workspace/machine/local-time.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The statistics of a version. */
export interface StatsOfVersion {
  readonly version: VersionId;
  /** When it was committed: local time `YYYY-mm-dd HH:MM:SS`; empty where the repository does not know the version. */
  readonly date: string;
  readonly files: readonly StatsFile[];
  /** Bytes of all files. */
  readonly size: number;
}

export interface StatsChoice {
  /** Only this version and those committed before it. */
  readonly from?: string;
  /** At most so many versions; all when absent. */
  readonly top?: number;
}

/** Versions that have statistics, the newest first. Reads only. Fails with `unknown-revision`. */
export async function listStats(workspace: Workspace, { from, top }: StatsChoice): Promise<StatsOfVersion[]> {
  const { stats } = workspace.store();
  const dateOf = dating(workspace);
  const known = new Map(stats.indexed().map(({ version, date }) => [version, date]));
  const dated: { version: VersionId; date: string }[] = [];
  for (const version of stats.versions().toSorted())
    dated.push({ version, date: known.get(version) ?? (await dateOf(version)) });
  const latest = from === undefined ? undefined : await dateOf(await workspace.version(from));
  const chosen = newestFirst(dated).filter(({ date }) => latest === undefined || date <= latest);
  return chosen.slice(0, top).map(({ version, date }) => {
    const files = stats.files(version);
    return { version, date, files, size: files.reduce((sum, { size }) => sum + size, 0) };
  });
}

/** Where statistics are: those of the head without a version. */
export interface StatsPlace {
  readonly name: string;
  readonly minor?: string;
}

/** What a file of statistics, or one entry of it, holds as JSON for people. Fails with `no-stats`. */
export async function getStats(workspace: Workspace, { name, minor }: StatsPlace, id?: string): Promise<Uint8Array> {
  const version = await workspace.version(minor);
  const content = workspace.store().stats.read(version, name);
  const found = id === undefined ? content : content?.get(id);
  if (found === null || found === undefined)
    throw new Failure("no-stats", { name: id === undefined ? name : `${name} ${id}`, where: `of ${version}` });
  return printIndented(found);
}

export interface StatsEntry extends StatsPlace {
  readonly id: string;
  /** A file with a JSON object; `-` is standard input. */
  readonly file: string;
  /** Keep the members of the entry that the file has not. */
  readonly merge: boolean;
}

/** Keeps an entry of statistics. Fails with `bad-stats`, `not-json`. */
export async function putStats(workspace: Workspace, { name, minor, id, file, merge }: StatsEntry): Promise<VersionId> {
  const version = await workspace.version(minor);
  const json = readJson(await wholeOf(workspace, file), file);
  if (!isObject(json)) throw new Failure("bad-stats", { file, reason: `it holds ${kindOf(json)}` });
  workspace.store().stats.put({ version, date: await dating(workspace)(version) }, name, id, json, merge);
  return version;
}

export interface StatsRemoval {
  /** Absent: all files of the versions. */
  readonly name?: string;
  /** Absent: of every version. */
  readonly minor?: string;
  /** Keep folders of versions that have no file any more. */
  readonly keepFolders: boolean;
}

/**
 * Deletes statistics; answers the paths of what is gone, relative to the store. Fails with `no-stats` when there was
 * nothing.
 */
export async function deleteStats(workspace: Workspace, { name, minor, keepFolders }: StatsRemoval): Promise<string[]> {
  const { stats } = workspace.store();
  const versions = minor === undefined ? stats.versions().toSorted() : [await workspace.version(minor)];
  const removed = versions.flatMap((version) => stats.delete(version, namesIn(stats, version, name), keepFolders));
  if (removed.length === 0)
    throw new Failure("no-stats", {
      ...(name === undefined ? {} : { name }),
      where: minor === undefined ? "of any version" : `of ${minor}`,
    });
  return removed;
}

function namesIn(stats: Stats, version: VersionId, name: string | undefined): string[] {
  return name === undefined ? stats.files(version).map((file) => file.name) : [name];
}

/**
 * Makes the list of versions true, deletes what does not belong among statistics, and folders without any; answers the
 * paths of what is gone.
 */
export async function cleanStats(
  workspace: Workspace,
  keep: { readonly foreign: boolean; readonly empty: boolean },
): Promise<string[]> {
  const { stats } = workspace.store();
  const removed = stats.clean(keep);
  await stats.sync(dating(workspace));
  return removed;
}

/** Makes the list of versions true; answers how many there are. */
export async function syncStats(workspace: Workspace): Promise<number> {
  return (await workspace.store().stats.sync(dating(workspace))).length;
}

/** Versions that the repository does not know (any more) have no date and come last. */
function dating(workspace: Workspace): CommitDateOf {
  return async (version) => {
    try {
      return localTime((await (await workspace.vcs()).info(version)).date);
    } catch (error) {
      if (isFailure(error, "unknown-revision")) return "";
      throw error;
    }
  };
}

async function wholeOf(workspace: Workspace, file: string): Promise<Uint8Array> {
  if (file !== "-") return workspace.files.read(file);
  const pieces: Uint8Array[] = [];
  for await (const piece of workspace.files.stream(file)) pieces.push(piece);
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function kindOf(json: Json): string {
  return Array.isArray(json)
    ? "a list"
    : json === null
      ? "null"
      : `a ${typeof json === "object" ? "number" : typeof json}`;
}
