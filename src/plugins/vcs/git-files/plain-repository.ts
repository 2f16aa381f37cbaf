import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isVersionId, type VersionId } from "../../../core/versions/index.ts";
import type { Environment } from "../vcs.ts";

/** The head of a plain repository. */
export interface PlainRepository {
  readonly root: string;
  /** The `.git` folder. */
  readonly folder: string;
  readonly head: VersionId;
  /** null when detached. */
  readonly branch: string | null;
}

/** Larger files are left to git. */
const maxFileBytes = 1 << 20;

/**
 * Reads the head of the repository whose working tree starts at `path`, without a process of git. null for everything
 * but the plain case, which git has to read then: linked worktrees, bare, empty, shallow and partial repositories,
 * other hashes and reference formats, files of another user, settings that move the tree or include other files.
 */
export function readPlainRepository(path: string, environment: Environment): PlainRepository | null {
  if (Object.keys(environment).some(selectsRepository)) return null;
  try {
    const root = realpathSync(path);
    const folder = join(root, ".git");
    if (!isOwnFolder(root) || !isOwnFolder(folder) || !isPlainFolder(folder)) return null;
    const config = readSmallFile(join(folder, "config"));
    return config === null || !isPlainConfig(config) ? null : headOf(root, folder);
  } catch {
    // An unreadable file: git reports the reason.
    return null;
  }
}

/** Variables that select a repository or set options of it, or of who owns it. */
function selectsRepository(name: string): boolean {
  if (name === "SUDO_UID") return true;
  if (name.startsWith("GIT_CONFIG_")) return !/^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/.test(name);
  return name === "GIT_DIR" || name === "GIT_WORK_TREE";
}

/** Git refuses the folders of other users unless it is configured not to. */
function isOwnFolder(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts?.isDirectory() === true && facts.uid === process.geteuid?.();
}

function isPlainFolder(folder: string): boolean {
  const isFolder = (name: string): boolean =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
  const exists = (name: string): boolean => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  return isFolder("objects") && isFolder("refs") && !exists("commondir") && !exists("shallow");
}

/**
 * Whether each setting that decides where the tree, the objects and the references are has its usual value. Their names
 * cannot be escaped, so that one that is nowhere in the text is not set.
 */
function isPlainConfig(text: string): boolean {
  if (/\[\s*(?:include|extensions)|worktree|promisor|partialclone/i.test(text)) return false;
  const usual = /^[ \t]*(?:bare = false|repositoryformatversion = 0)$/gm;
  const deciding = text.match(/bare|repositoryformatversion/gi) ?? [];
  return (
    /^\[core\]$/m.test(text) &&
    deciding.length === 2 &&
    new Set(text.match(usual)?.map((line) => line.trim())).size === 2
  );
}

/** Whether the configuration of a plain repository, in the folder `.git`, may name filters: programs for its files. */
export function mayHaveFilters(folder: string): boolean {
  return trueIfUnreadable(() => /filter/i.test(readSmallFile(join(folder, "config")) ?? "filter"));
}

/** What is unreadable is left to git, which reports the reason. */
function trueIfUnreadable(read: () => boolean): boolean {
  try {
    return read();
  } catch {
    return true;
  }
}

function headOf(root: string, folder: string): PlainRepository | null {
  const head = readSmallFile(join(folder, "HEAD"))?.trimEnd() ?? "";
  if (isSha1(head)) return { root, folder, head, branch: null };
  const branch = /^ref: refs\/heads\/([\w.+@/-]+)$/.exec(head)?.[1];
  if (branch === undefined || !isPlainName(branch)) return null;
  const loose = readSmallFile(join(folder, "refs/heads", branch));
  const id = loose === null ? packedReference(folder, `refs/heads/${branch}`) : loose.trimEnd();
  return isSha1(id) ? { root, folder, head: id, branch } : null;
}

/** Names without components that git refuses or that are no file name. */
function isPlainName(branch: string): boolean {
  return branch.split("/").every((part) => part !== "" && !part.startsWith(".") && !/\.lock$|\.$|\.\./.test(part));
}

function packedReference(folder: string, name: string): string {
  const text = readSmallFile(join(folder, "packed-refs")) ?? "";
  const end = text.indexOf(` ${name}\n`);
  return end < 40 || (end > 40 && text[end - 41] !== "\n") ? "" : text.slice(end - 40, end);
}

/** Whether refs/replace or grafts may replace commits. */
export function replacesCommits(folder: string): boolean {
  const exists = (name: string): boolean => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  return trueIfUnreadable(() => {
    if (exists("refs/replace") || exists("info/grafts")) return true;
    return exists("packed-refs") && readSmallFile(join(folder, "packed-refs"))?.includes(" refs/replace/") !== false;
  });
}

function isSha1(id: string): id is VersionId {
  return id.length === 40 && isVersionId(id);
}

/** The text of a regular file; null if there is none, or a larger one. */
function readSmallFile(path: string): string | null {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true && facts.size <= maxFileBytes ? readFileSync(path, "utf8") : null;
}

/** Larger ones are left to git, as it reads them about as fast. */
const maxIndexBytes = 64 << 20;

const headerBytes = 12;
/** Times, mode, owner, size and SHA-1 of an entry, before its flags. */
const factsBytes = 60;
const checksumBytes = 20;
const assumeUnchanged = 0x8000;
const isExtended = 0x4000;
const skipWorktree = 0x4000;
const nameLength = 0x0fff;

/**
 * Whether files of the index in the folder `.git` may be marked as `assume-unchanged` or `skip-worktree`, so that
 * `git status` skips their changes. True also for indexes that only git can read: compressed, split or sparse ones, and
 * damaged ones. Format: gitformat-index(5), versions 2 and 3 with SHA-1.
 */
export function mayHaveMarks(folder: string): boolean {
  const path = join(folder, "index");
  return trueIfUnreadable(() => {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return false;
    return facts.size > maxIndexBytes || !isUnmarkedIndex(readFileSync(path));
  });
}

/** Whether the bytes of an index are plain, and no entry has a mark. */
export function isUnmarkedIndex(bytes: Buffer): boolean {
  const end = bytes.length - checksumBytes;
  if (end < headerBytes || bytes.toString("latin1", 0, 4) !== "DIRC") return false;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return false;
  let at = headerBytes;
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    const next = at + factsBytes + 2 > end ? 0 : nextEntry(bytes, at);
    if (next === 0 || next > end) return false;
    at = next;
  }
  return hasOnlyOptionalExtensions(bytes, at, end);
}

/** Where the entry after the one at `at` starts; 0 if this one has a mark or does not end. */
function nextEntry(bytes: Buffer, at: number): number {
  const flags = bytes.readUInt16BE(at + factsBytes);
  if ((flags & assumeUnchanged) !== 0) return 0;
  let name = at + factsBytes + 2;
  if ((flags & isExtended) !== 0) {
    if ((bytes.readUInt16BE(name) & skipWorktree) !== 0) return 0;
    name += 2;
  }
  const short = flags & nameLength;
  const end = short < nameLength ? name + short : bytes.indexOf(0, name + nameLength);
  // One to eight zeros fill the entry up to a multiple of eight bytes.
  return end < 0 ? 0 : at + ((end - at + 8) & ~7);
}

/** Git writes extensions that change the meaning of the entries with a lower-case name. */
function hasOnlyOptionalExtensions(bytes: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at < end) {
    const first = bytes[at] ?? 0;
    if (at + 8 > end || first < 0x41 || first > 0x5a) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}
