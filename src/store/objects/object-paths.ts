import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { dirname, join, sep } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { wrapReadErrors, listFolder, isFolder } from "../durable/index.ts";

/**
 * Objects and version indexes share `objects/`: the first two hex digits name the folder, the other 38 (62 for a
 * SHA-256 version) the file.
 */
const shardName = /^[0-9a-f]{2}$/;

/** Suffixes of the companion files of a version index: its changes, previous generation and checksum. */
export const companions = [".changes", ".prev", ".sum"] as const;

export type Companion = (typeof companions)[number];

const memberName = /^([0-9a-f]{38}|[0-9a-f]{62})(\.changes|\.prev|\.sum)?$/;

/** A file of `objects/` whose name is valid in a store. */
export interface Member {
  readonly path: string;
  /** The 40 or 64 hex digits of the digest or version. */
  readonly id: string;
  /** Absent for the object or index itself. */
  readonly companion?: Companion;
}

/** An entry of `objects/` whose name is not valid in a store. */
export interface ForeignFile {
  readonly path: string;
  readonly name: string;
  readonly isFile: boolean;
  readonly isLink: boolean;
}

/** The path of the object or index `id`. Validates `id`, so that only hex digits become part of a path. */
export function memberPath(objects: string, id: string): string {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) throw new Failure("object-missing", { digest: id });
  return `${objects}${sep}${id.slice(0, 2)}${sep}${id.slice(2)}`;
}

/** Like `memberPath`, for readers: refuses a shard that is a symbolic link; null if the shard does not exist. */
export function readablePath(objects: string, id: string): string | null {
  const path = memberPath(objects, id);
  const shard = `${objects}${sep}${id.slice(0, 2)}`;
  if (!knownShards.has(shard) && isFolder(shard)) knownShards.add(shard);
  return knownShards.has(shard) ? path : null;
}

/** Shards known to be folders, so that each is checked once per process. */
const knownShards = new Set<string>();

/** The ids stored in one shard of `objects/`. */
export interface StoredNames {
  /** Digests of objects and ids of versions with an index, which share one namespace. */
  readonly indexes: ReadonlySet<string>;
  /** Ids of versions with stored changes. */
  readonly changes: ReadonlySet<string>;
}

/** The names in the shard of `id`, from one directory read without stat or pattern matching. */
export function namesInShard(objects: string, id: string): StoredNames {
  const indexes = new Set<string>();
  const changes = new Set<string>();
  const shard = id.slice(0, 2);
  const path = readablePath(objects, id);
  const folder = path === null ? null : dirname(path);
  for (const name of folder === null ? [] : wrapReadErrors(folder, () => readdirSync(folder))) {
    if (name.length === 38 || name.length === 62) indexes.add(shard + name);
    else if (name.endsWith(".changes")) changes.add(shard + name.slice(0, -".changes".length));
  }
  return { indexes, changes };
}

/**
 * The ctime of a file or folder in nanoseconds; null if it does not exist. Changes within one clock tick may share it.
 */
export function changeStamp(path: string): string | null {
  const stat = wrapReadErrors(path, () => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return stat === undefined ? null : String(stat.ctimeNs);
}

/** The names of the shards in `objects`. */
export function shardNames(objects: string): string[] {
  return listFolder(objects)
    .filter(isShard)
    .map(({ name }) => name);
}

/** All entries of `objects`, classified by name, unordered. */
export function membersOf(objects: string): { readonly members: Member[]; readonly foreignFiles: ForeignFile[] } {
  const foreignFiles: ForeignFile[] = [];
  const members = [...membersIn(objects, (foreign) => foreignFiles.push(foreign))];
  return { members, foreignFiles };
}

/** The entries of `objects` with valid names, one shard in memory at a time; reports the others. */
export function* membersIn(objects: string, report: (foreign: ForeignFile) => void = () => {}): Generator<Member> {
  for (const shard of listFolder(objects)) {
    const folder = join(objects, shard.name);
    if (!isShard(shard)) {
      report(foreignFileOf(folder, shard));
      continue;
    }
    for (const entry of listFolder(folder)) {
      const member = memberOf(folder, shard.name, entry.name);
      if (member === null) report(foreignFileOf(join(folder, entry.name), entry));
      else yield member;
    }
  }
}

function isShard(entry: Dirent): boolean {
  return entry.isDirectory() && shardName.test(entry.name);
}

function foreignFileOf(path: string, entry: Dirent): ForeignFile {
  return { path, name: entry.name, isFile: entry.isFile(), isLink: entry.isSymbolicLink() };
}

function memberOf(folder: string, shard: string, name: string): Member | null {
  const [, rest, companion] = memberName.exec(name) ?? [];
  if (rest === undefined) return null;
  const member = { path: join(folder, name), id: shard + rest };
  return companion === undefined ? member : { ...member, companion: companion as Companion };
}
