import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { dirname, join, sep } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { reading } from "../durable/file-failure.ts";
import { entriesOf, isFolder } from "../durable/regular-file.ts";

/**
 * Objects and version indexes share `objects/`: two hex digits name a folder, the other 38 (62 for a SHA-256 version)
 * the file.
 */
const shardName = /^[0-9a-f]{2}$/;

/** The ends of file names beside a version index: its changes, its former generation, its checksum. */
export const companions = [".changes", ".prev", ".sum"] as const;

export type Companion = (typeof companions)[number];

const memberName = /^([0-9a-f]{38}|[0-9a-f]{62})(\.changes|\.prev|\.sum)?$/;

/** One file of `objects/` that bears a name of the store. */
export interface Member {
  readonly path: string;
  /** The 40 or 64 hex digits of the digest or version. */
  readonly id: string;
  /** Absent for the object or index itself. */
  readonly companion?: Companion;
}

/** A folder entry of `objects/` that bears no name of the store. */
export interface Stranger {
  readonly path: string;
  readonly name: string;
  readonly isFile: boolean;
  readonly isLink: boolean;
}

/** Where the object or index `id` lives. `id` is checked: nothing but hex digits ever becomes a path. */
export function memberPath(objects: string, id: string): string {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) throw new Failure("object-missing", { digest: id });
  return `${objects}${sep}${id.slice(0, 2)}${sep}${id.slice(2)}`;
}

/** As `memberPath`, but refuses a shard that is a link: for readers; null when the shard does not exist. */
export function readablePath(objects: string, id: string): string | null {
  const path = memberPath(objects, id);
  const shard = `${objects}${sep}${id.slice(0, 2)}`;
  if (!knownShards.has(shard) && isFolder(shard)) knownShards.add(shard);
  return knownShards.has(shard) ? path : null;
}

/** Shards that were seen to be folders by this process: the next reading of a history need not look again. */
const knownShards = new Set<string>();

/** Which ids have something in one shard of `objects/`. */
export interface StoredNames {
  /** Digests of objects and ids of versions with an index: they share one name space. */
  readonly indexes: ReadonlySet<string>;
  /** Ids of versions with stored changes. */
  readonly changes: ReadonlySet<string>;
}

/**
 * What stands in the shard where `id` belongs: one folder reading, no stat and no pattern, for questions about a long
 * history.
 */
export function namesBeside(objects: string, id: string): StoredNames {
  const indexes = new Set<string>();
  const changes = new Set<string>();
  const shard = id.slice(0, 2);
  const path = readablePath(objects, id);
  const folder = path === null ? null : dirname(path);
  for (const name of folder === null ? [] : reading(folder, () => readdirSync(folder))) {
    if (name.length === 38 || name.length === 62) indexes.add(shard + name);
    else if (name.endsWith(".changes")) changes.add(shard + name.slice(0, -".changes".length));
  }
  return { indexes, changes };
}

/**
 * When a file or folder was changed last, in digits that no later change gives again once a tick of the clock has gone
 * by; null when there is nothing.
 */
export function markOf(path: string): string | null {
  const stat = reading(path, () => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return stat === undefined ? null : String(stat.ctimeNs);
}

/** The names of the folders in `objects`. */
export function shardNames(objects: string): string[] {
  return entriesOf(objects)
    .filter(isShard)
    .map(({ name }) => name);
}

/** Everything in `objects`, told apart by its name; in no order. */
export function membersOf(objects: string): { readonly members: Member[]; readonly strangers: Stranger[] } {
  const members: Member[] = [];
  const strangers: Stranger[] = [];
  for (const shard of entriesOf(objects)) {
    const folder = join(objects, shard.name);
    if (!isShard(shard)) {
      strangers.push(strangerOf(folder, shard));
      continue;
    }
    for (const entry of entriesOf(folder)) {
      const member = memberOf(folder, shard.name, entry.name);
      if (member === null) strangers.push(strangerOf(join(folder, entry.name), entry));
      else members.push(member);
    }
  }
  return { members, strangers };
}

function isShard(entry: Dirent): boolean {
  return entry.isDirectory() && shardName.test(entry.name);
}

function strangerOf(path: string, entry: Dirent): Stranger {
  return { path, name: entry.name, isFile: entry.isFile(), isLink: entry.isSymbolicLink() };
}

function memberOf(folder: string, shard: string, name: string): Member | null {
  const [, rest, companion] = memberName.exec(name) ?? [];
  if (rest === undefined) return null;
  const member = { path: join(folder, name), id: shard + rest };
  return companion === undefined ? member : { ...member, companion: companion as Companion };
}
