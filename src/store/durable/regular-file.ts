import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Dirent,
  type Stats,
} from "node:fs";
import { Failure } from "../../core/failures/index.ts";
import { errnoOf, wrapReadErrors } from "./file-failure.ts";

/** Maximum size of a store file that is read into memory. */
const defaultMaxBytes = 512 * 1024 * 1024;

/**
 * The bytes of the regular file at `path`, or null if there is none. Fails with `not-a-plain-file` for symbolic links,
 * folders, pipes and devices (a cloned store may hold anything), and with `file-too-large` beyond `cap` bytes.
 */
export function readRegularFile(path: string, cap = defaultMaxBytes): Uint8Array | null {
  const fd = openOrNull(path);
  if (fd === null) return null;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw notRegularFile(path, stat);
    if (stat.size > cap) throw new Failure("file-too-large", { path, size: stat.size, cap });
    return wrapReadErrors(path, () => readFully(fd, stat.size));
  } finally {
    closeSync(fd);
  }
}

/** The first `count` bytes of the regular file at `path`; fewer if it is shorter, none if it does not exist. */
export function readHead(path: string, count: number): Uint8Array {
  const fd = openOrNull(path);
  if (fd === null) return new Uint8Array(0);
  try {
    return wrapReadErrors(path, () => readFully(fd, count));
  } finally {
    closeSync(fd);
  }
}

/** The entries of `folder`; none if it does not exist. Refuses a symbolic link. */
export function listFolder(folder: string): Dirent[] {
  if (!isFolder(folder)) return [];
  return wrapReadErrors(folder, () => readdirSync(folder, { withFileTypes: true }));
}

/** True for a folder, false if nothing exists at `path`. Fails with `not-a-plain-file` for anything else. */
export function isFolder(path: string): boolean {
  const stat = lstatOrNull(path);
  if (stat === null) return false;
  if (!stat.isDirectory()) throw notRegularFile(path, stat);
  return true;
}

/** lstat, or null if nothing exists at `path`. */
export function lstatOrNull(path: string): Stats | null {
  return wrapReadErrors(path, () => lstatSync(path, { throwIfNoEntry: false }) ?? null);
}

/** Opens for reading without following links or blocking on a pipe; null if there is no such file. */
function openOrNull(path: string): number | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    return openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR") return null;
    if (errno === "ELOOP") throw new Failure("not-a-plain-file", { path, found: "a symbolic link" });
    return wrapReadErrors(path, () => {
      throw error;
    });
  }
}

function readFully(fd: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(fd, bytes, filled, size - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function notRegularFile(path: string, stat: Stats): Failure {
  return new Failure("not-a-plain-file", { path, found: fileKind(stat) });
}

function fileKind(stat: Stats): string {
  if (stat.isSymbolicLink()) return "a symbolic link";
  if (stat.isDirectory()) return "a folder";
  if (stat.isFile()) return "a file";
  return "neither a file nor a folder";
}
