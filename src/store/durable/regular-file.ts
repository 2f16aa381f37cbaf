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
import { Failure } from "../../core/failures/failure.ts";
import { errnoOf, reading } from "./file-failure.ts";

/** What a file of the store may have at most when it is read at once. */
const readCap = 512 * 1024 * 1024;

/**
 * The bytes of the plain file at `path`, or null when there is none. A symbolic link, folder, pipe or device is refused
 * with `not-a-plain-file` (a cloned store may hold anything), more than `cap` bytes with `file-too-large`.
 */
export function readPlainFile(path: string, cap = readCap): Uint8Array | null {
  const fd = openOrNull(path);
  if (fd === null) return null;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw notPlain(path, stat);
    if (stat.size > cap) throw new Failure("file-too-large", { path, size: stat.size, cap });
    return reading(path, () => readFully(fd, stat.size));
  } finally {
    closeSync(fd);
  }
}

/** At most `count` bytes from the beginning of the plain file at `path`; none when there is no such file. */
export function readBeginning(path: string, count: number): Uint8Array {
  const fd = openOrNull(path);
  if (fd === null) return new Uint8Array(0);
  try {
    return reading(path, () => readFully(fd, count));
  } finally {
    closeSync(fd);
  }
}

/** The names in `folder`, none when it does not exist; a link in its place is refused. */
export function entriesOf(folder: string): Dirent[] {
  if (!isFolder(folder)) return [];
  return reading(folder, () => readdirSync(folder, { withFileTypes: true }));
}

/** True for a folder, false when there is nothing; everything else is refused with `not-a-plain-file`. */
export function isFolder(path: string): boolean {
  const stat = statOf(path);
  if (stat === null) return false;
  if (!stat.isDirectory()) throw notPlain(path, stat);
  return true;
}

/** lstat, or null when there is nothing. */
export function statOf(path: string): Stats | null {
  return reading(path, () => lstatSync(path, { throwIfNoEntry: false }) ?? null);
}

/**
 * Opens for reading without following a link and without waiting for the writer of a pipe; null when there is no such
 * file.
 */
function openOrNull(path: string): number | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    return openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR") return null;
    if (errno === "ELOOP") throw new Failure("not-a-plain-file", { path, found: "a symbolic link" });
    return reading(path, () => {
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

function notPlain(path: string, stat: Stats): Failure {
  return new Failure("not-a-plain-file", { path, found: kindOf(stat) });
}

function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return "a symbolic link";
  if (stat.isDirectory()) return "a folder";
  if (stat.isFile()) return "a file";
  return "neither a file nor a folder";
}
