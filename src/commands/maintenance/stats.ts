import type { VersionId } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { isObject, type Json } from "../../core/values/index.ts";
import { printIndented, readJson } from "../../formats/json/index.ts";
import { type CommitDateOf, type Stats, type StatsFile, newestFirst } from "../../store/stats/index.ts";
import { localTime } from "../../workspace/machine/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Statistics of a commit. */
export interface StatsOfVersion {
  readonly version: VersionId;
  /** Commit date in local time, `YYYY-mm-dd HH:MM:SS`; empty for unknown commits. */
  readonly date: string;
  readonly files: readonly StatsFile[];
  /** Size of all files, bytes. */
  readonly size: number;
}

export interface StatsChoice {
  /** Only this commit and earlier ones by date. */
  readonly from?: string;
  /** Maximum number of commits; default: all. */
  readonly top?: number;
}

/** Commits with statistics, newest first. Read-only. Fails with `unknown-revision`. */
export async function listStats(workspace: Workspace, { from, top }: StatsChoice): Promise<StatsOfVersion[]> {
  const { stats } = workspace.store();
  const dateOf = dateLookup(workspace);
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

/** Identifies statistics; default commit: the head. */
export interface StatsRef {
  readonly name: string;
  readonly minor?: string;
}

/** A statistics file, or one entry of it, as indented JSON. Fails with `no-stats`. */
export async function getStats(workspace: Workspace, { name, minor }: StatsRef, id?: string): Promise<Uint8Array> {
  const version = await workspace.version(minor);
  const entries = workspace.store().stats.read(version, name);
  const found = id === undefined ? entries : entries?.get(id);
  if (found === null || found === undefined)
    throw new Failure("no-stats", { name: id === undefined ? name : `${name} ${id}`, where: `of ${version}` });
  return printIndented(found);
}

export interface StatsEntry extends StatsRef {
  readonly id: string;
  /** File with a JSON object; `-` is standard input. */
  readonly file: string;
  /** Keep members of the entry that the file lacks. */
  readonly merge: boolean;
}

/** Stores an entry. Fails with `bad-stats`, `not-json`. */
export async function putStats(workspace: Workspace, { name, minor, id, file, merge }: StatsEntry): Promise<VersionId> {
  const version = await workspace.version(minor);
  const json = readJson(await readAll(workspace, file), file);
  if (!isObject(json)) throw new Failure("bad-stats", { file, reason: `it holds ${kindOf(json)}` });
  workspace.store().stats.put({ version, date: await dateLookup(workspace)(version) }, name, id, json, merge);
  return version;
}

export interface StatsRemoval {
  /** Default: all files. */
  readonly name?: string;
  /** Default: every commit. */
  readonly minor?: string;
  /** Keep empty folders. */
  readonly keepFolders: boolean;
}

/** Deletes statistics; returns the deleted paths, relative to the store. Fails with `no-stats` if there are none. */
export async function deleteStats(workspace: Workspace, { name, minor, keepFolders }: StatsRemoval): Promise<string[]> {
  const { stats } = workspace.store();
  const versions = minor === undefined ? stats.versions().toSorted() : [await workspace.version(minor)];
  const removed = versions.flatMap((version) => stats.delete(version, namesIn(stats, version, name), keepFolders));
  if (removed.length === 0)
    throw new Failure("no-stats", {
      ...(name === undefined ? {} : { name }),
      where: minor === undefined ? "of any commit" : `of ${minor}`,
    });
  return removed;
}

function namesIn(stats: Stats, version: VersionId, name: string | undefined): string[] {
  return name === undefined ? stats.files(version).map((file) => file.name) : [name];
}

/** Updates the list of commits and deletes foreign files and empty folders unless kept; returns the deleted paths. */
export async function cleanStats(
  workspace: Workspace,
  keep: { readonly foreign: boolean; readonly empty: boolean },
): Promise<string[]> {
  const { stats } = workspace.store();
  const removed = stats.clean(keep);
  await stats.sync(dateLookup(workspace));
  return removed;
}

/** Updates the list of commits; returns their number. */
export async function syncStats(workspace: Workspace): Promise<number> {
  return (await workspace.store().stats.sync(dateLookup(workspace))).length;
}

/** Unknown commits have no date and sort last. */
function dateLookup(workspace: Workspace): CommitDateOf {
  return async (version) => {
    try {
      return localTime((await (await workspace.vcs()).info(version)).date);
    } catch (error) {
      if (isFailure(error, "unknown-revision")) return "";
      throw error;
    }
  };
}

async function readAll(workspace: Workspace, file: string): Promise<Uint8Array> {
  if (file !== "-") return workspace.files.read(file);
  const pieces: Uint8Array[] = [];
  for await (const piece of workspace.files.stream(file)) pieces.push(piece);
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function kindOf(json: Json): string {
  return Array.isArray(json)
    ? "a list"
    : json === null
      ? "null"
      : `a ${typeof json === "object" ? "number" : typeof json}`;
}
