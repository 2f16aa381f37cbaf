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
  return /filter/i.test(readSmallFile(join(folder, "config")) ?? "filter");
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
  if (exists("refs/replace") || exists("info/grafts")) return true;
  return exists("packed-refs") && readSmallFile(join(folder, "packed-refs"))?.includes(" refs/replace/") !== false;
}

function isSha1(id: string): id is VersionId {
  return id.length === 40 && isVersionId(id);
}

/** The text of a regular file; null if there is none, or a larger one. */
function readSmallFile(path: string): string | null {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true && facts.size <= maxFileBytes ? readFileSync(path, "utf8") : null;
}
